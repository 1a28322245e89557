import CTestRecording
import Foundation
import GameprofAnalysis
import GameprofReport
import GameprofTrace

/// How many objects a stretch of a test may allocate.
struct AllocationLimit: Sendable {
    /// At most so many.
    let most: Int
    /// Name of the class whose objects are counted; nil: every block is.
    let type: String?
    /// Whether metadata is that of the class or of one that inherits from it.
    private let includes: @Sendable (UInt64) -> Bool

    init(most: Int) {
        self.most = most
        type = nil
        includes = { _ in true }
    }

    init<Object: AnyObject>(of type: Object.Type, most: Int) {
        self.most = most
        self.type = String(describing: type)
        includes = { Self.isClass($0, below: Object.self) }
    }

    /// What was counted beyond the limit; nil: it was kept. Blocks of which it cannot be said whose they are do not count.
    func breach(_ count: AllocationTally.Count) -> Breach? {
        let counted = count.rows.filter { includes($0.metadata) }
        guard blocks(count) > UInt64(max(0, most)) else { return nil }
        guard let trace = gp_test_trace().map({ String(cString: $0) }) else { return nil }
        do {
            let recording = try RecordingReader.readHeap(path: trace)
            let tallied = ScopedAllocations(
                counted, of: recording, symbolicator: Symbolicator(recording: recording))
            let totals = tallied.totals
            guard totals.total > UInt64(max(0, most)) else { return nil }
            return Breach(
                text: AllocationLimitText.text(totals, limit: most, type: type), report: tallied.report,
                measured: totals.total)
        } catch {
            return Breach(text: "Allocations could not be assigned: \(error).", report: nil)
        }
    }

    /// How many blocks count, those of which it cannot be said whose they are among them.
    func blocks(_ count: AllocationTally.Count) -> UInt64 {
        count.rows.reduce(0) { $0 + (includes($1.metadata) ? $1.count : 0) }
    }

    /// What is said of a limit that was not kept.
    struct Breach {
        var text: String
        var report: Report?
        /// Blocks; nil: they could not be counted.
        var measured: UInt64?
    }

    /// Metadata of classes begins with a kind of 0; that of closure contexts and boxes does not.
    private static func isClass<Object: AnyObject>(_ metadata: UInt64, below type: Object.Type) -> Bool {
        guard let word = UnsafePointer<UInt>(bitPattern: UInt(metadata)), word.pointee == 0 else { return false }
        let found: Any.Type = unsafeBitCast(UInt(metadata), to: AnyClass.self)
        return found is Object.Type
    }
}
