import CTraceFormat
import GameprofTrace

/// Where the words stand that name blocks: in whose frame of a stack, or among which thread's variables.
struct RootPlaces {
    private struct Frame {
        var end: UInt64
        /// Return address into its function.
        var function: UInt64
    }

    /// By thread, innermost first.
    private var frames: [UInt32: [Frame]] = [:]
    private var locals: [(thread: UInt32, range: Range<UInt64>)] = []
    private let memory: MemoryImage
    /// The stack that the main thread left is read in a copy.
    private var moved: gp_search_words?

    init(_ rows: [gp_search_words], _ memory: MemoryImage) {
        self.memory = memory
        for row in rows {
            switch Int(row.kind) {
            case Int(GP_WORDS_FRAME): frames[row.thread, default: []].append(Frame(end: row.start, function: row.end))
            case Int(GP_WORDS_LOCALS) where row.start < row.end: locals.append((row.thread, row.start..<row.end))
            case Int(GP_WORDS_MOVED): moved = row
            default: break
            }
        }
    }

    func place(_ root: HeapRoot) -> HeapRoot {
        var root = root
        switch root.kind {
        case .stack:
            if let moved, moved.thread == root.thread.rawValue, root.address >= moved.start {
                root.address = root.address - moved.start &+ moved.end
            }
            if let own = frames[root.thread.rawValue], let frame = own.firstIndex(where: { root.address < $0.end }) {
                root.pc = owner(of: own[frame...])
            } else if thread(ofLocal: root.address) == root.thread.rawValue {
                root.kind = .threadLocal
            }
        case .mapped:
            guard let thread = thread(ofLocal: root.address) else { break }
            (root.kind, root.thread) = (.threadLocal, ThreadID(rawValue: thread))
        default: break
        }
        return root
    }

    /// The return address into the function whose words the first frame holds: what a frame of the recorder or of libc names is
    /// their caller's, the first frame behind it that is another's.
    private func owner(of frames: ArraySlice<Frame>) -> UInt64 {
        let owner = frames.first {
            let library = SystemLibrary(at: $0.function &- 1, in: memory)
            return library != .libc && library != .recorder
        }
        return (owner ?? frames.first)?.function ?? 0
    }

    private func thread(ofLocal address: UInt64) -> UInt32? {
        locals.first { $0.range.contains(address) }?.thread
    }
}
