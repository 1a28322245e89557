import CTestRecording
import Foundation
import Profiler

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
        guard counted.reduce(0, { $0 + $1.count }) > UInt64(max(0, most)) else { return nil }
        guard let trace = gp_test_trace().map({ String(cString: $0) }) else { return nil }
        do {
            let recording = try RecordingReader.readHeap(path: trace)
            let tallied = TalliedAllocations(
                counted, of: recording, symbolicator: Symbolicator(recording: recording))
            guard tallied.total > UInt64(max(0, most)) else { return nil }
            return Breach(text: tallied.text(limit: most, type: type), report: tallied.report)
        } catch {
            return Breach(text: "Allocations could not be told apart: \(error).", report: nil)
        }
    }

    /// What is said of a limit that was not kept.
    struct Breach {
        var text: String
        var report: Report?
    }

    /// Metadata of classes begins with a kind of 0; that of closure contexts and boxes does not.
    private static func isClass<Object: AnyObject>(_ metadata: UInt64, below type: Object.Type) -> Bool {
        guard let word = UnsafePointer<UInt>(bitPattern: UInt(metadata)), word.pointee == 0 else { return false }
        let found: Any.Type = unsafeBitCast(UInt(metadata), to: AnyClass.self)
        return found is Object.Type
    }
}
