import GameprofBasics
import GameprofTrace

/// Reads traces where there is memory for their heaps, and refuses before the kernel ends the tool.
enum MemoryLimit {
    /// Calls `body` with the bytes that heaps may take.
    /// - Throws: what `body` throws; a `ToolError` where the heaps of the trace need more.
    static func reading<Result>(_ body: (_ room: UInt64?) throws -> Result) throws -> Result {
        let available = AvailableMemory.now()
        do {
            return try body(available?.bytes)
        } catch let error as HeapTooLarge {
            let limit = available.map { ", and \(NumberFormat.bytes($0.bytes)) are available (\($0.limit.rawValue))" }
            var failure = ToolError(
                .toolFailed,
                "The heap was not analysed: at least \(NumberFormat.count(error.blocks, "block")) need more than "
                    + "\(NumberFormat.bytes(error.needed)) of memory\(limit ?? "").")
            failure.lacksMemory = true
            throw failure
        }
    }
}
