import Foundation
import GameprofBasics
import GameprofTrace
import Synchronization

/// Reads traces where there is memory for their heaps, and refuses before the kernel ends the tool.
enum MemoryLimit {
    /// Calls `body` with the bytes that heaps may take.
    /// - Throws: what `body` throws; a `ToolError` where the heaps of the trace need more.
    static func reading<Result>(_ body: (_ room: UInt64?) throws -> Result) throws -> Result {
        let available = now()
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

    /// When the figure was read last. Many small traces are read in less time than the figure takes.
    private static let latest = Mutex<(time: UInt64, memory: AvailableMemory?)>((0, nil))
    private static let lifetime: UInt64 = 100_000_000

    private static func now() -> AvailableMemory? {
        latest.withLock { latest in
            let time = DispatchTime.now().uptimeNanoseconds
            if latest.time == 0 || time - latest.time > lifetime { latest = (time, AvailableMemory.now()) }
            return latest.memory
        }
    }
}
