import Foundation
import GameprofBasics
import GameprofTrace

/// CPU time by function, added up while the program runs. Functions have the names of symbol tables: those that the compiler
/// inlined count with their callers.
///
/// Symbol tables take tens of megabytes. They are read when there is enough to name, one file at a time, and given back.
package final class LiveProfile {
    package struct Function: Sendable {
        package var name: String
        package var module: String
        package var origin: FrameOrigin
        /// Nanoseconds in the function itself, and in the support of the runtime that it called.
        package fileprivate(set) var own: UInt64 = 0
        /// With all that it called.
        package fileprivate(set) var total: UInt64 = 0
        fileprivate var isSupport: Bool
        fileprivate var isStart: Bool
        /// Allocates, or belongs to a recorder that is linked into the program: what it calls is its caller's time.
        fileprivate var isEntry: Bool
    }

    /// A stack is followed so far outwards.
    private static let depthLimit = 512
    /// Names are looked up when a twentieth of the time has none and some looks at the trace have passed, four times as many
    /// each time; or when a fifth has none.
    private static let (namelessShare, namelessMost, longestRest): (UInt64, UInt64, Int) = (20, 5, 64)

    private static let allocators: Set = [
        "malloc", "calloc", "realloc", "reallocarray", "free", "posix_memalign", "aligned_alloc", "memalign",
    ]

    private var functions: [Function] = []
    private var numbers: [String: Int32] = [:]
    /// By frame of the stack tree: 0 where it has no name yet, else the number of its function and 1.
    private var known: [Int32] = []
    /// Time by stack, where a frame has no name yet.
    private var nameless: [StackID: UInt64] = [:]
    private let search: SymbolSearch
    private var named: UInt64 = 0
    /// Looks since names were looked up, and how many shall pass.
    private var (passed, rest) = (0, 0)

    package init(search: SymbolSearch) { self.search = search }

    /// Nanoseconds of all functions.
    package var total: UInt64 { named }

    /// Takes the samples that a look at the trace has found.
    package func add(_ recording: LiveRecording) {
        let samples = recording.takeSamples()
        guard !samples.isEmpty else { return }
        let missing = recording.frames.count - known.count
        if missing > 0 { known += [Int32](repeating: 0, count: missing) }
        for (stack, periods) in samples {
            let time = periods &* recording.samplePeriod
            let frames = frames(of: stack, recording.frames)
            if frames.allSatisfy({ known[$0.id.index] > 0 }) {
                add(frames, time)
            } else {
                nameless[stack, default: 0] &+= time
            }
        }
        let waiting = nameless.values.reduce(0, &+)
        passed += 1
        let (all, isMuch) = (named &+ waiting, waiting &* Self.namelessMost > named &+ waiting)
        guard waiting &* Self.namelessShare > all, passed >= (isMuch ? min(rest, 4) : rest) else { return }
        (passed, rest) = (0, min(max(1, 4 * rest), Self.longestRest))
        name(recording)
        for (stack, time) in nameless { add(frames(of: stack, recording.frames), time) }
        nameless = [:]
    }

    /// The functions with the most own time.
    package func hottest(_ count: Int) -> [Function] {
        let shown = functions.filter { $0.own > 0 || $0.total > 0 && $0.origin == .user && !$0.isStart }
        return Array(shown.sorted { ($0.own, $0.total, $1.name) > ($1.own, $1.total, $0.name) }.prefix(count))
    }

    private func frames(of stack: StackID, _ tree: FrameTree) -> [FrameRecord] {
        tree.frames(of: stack, limit: Self.depthLimit)
    }

    private func add(_ frames: [FrameRecord], _ time: UInt64) {
        named &+= time
        var met = frames.map { Int(known[$0.id.index]) - 1 }
        if let entry = met.lastIndex(where: { functions[$0].isEntry }), entry + 1 < met.count {
            met.removeFirst(entry + 1)
        }
        guard let owner = met.first(where: { !functions[$0].isSupport }) ?? met.first else { return }
        functions[owner].own &+= time
        for function in Set(met) { functions[function].total &+= time }
    }

    // MARK: - Names

    /// Names all frames of the stacks that have one without.
    private func name(_ recording: LiveRecording) {
        var wanted: [ImageID: [FrameRecord]] = [:]
        var asked: Set<FrameID> = []
        for stack in nameless.keys {
            for frame in frames(of: stack, recording.frames) where known[frame.id.index] == 0 {
                guard asked.insert(frame.id).inserted else { continue }
                wanted[recording.images.image(at: Self.address(frame))?.id ?? .none, default: []].append(frame)
            }
        }
        var places = Recording()
        (places.program, places.images) = (recording.program, recording.images)
        places.startUnixNanoseconds = recording.startUnixNanoseconds
        for frames in wanted.values {
            let names = Symbolicator(recording: places, symbolizer: nil, search: search)
            for frame in frames {
                known[frame.id.index] = number(of: names.frames(atExact: Self.address(frame)).last) + 1
            }
        }
        FreeMemory.giveBack()
    }

    /// A return address stands behind its call, and may belong to the next function.
    private static func address(_ frame: FrameRecord) -> UInt64 {
        frame.isExact || frame.pc == 0 ? frame.pc : frame.pc - 1
    }

    private func number(of frame: SymbolicatedFrame?) -> Int32 {
        let (name, module) = (frame?.function ?? "?", frame?.module ?? "")
        let key = "\(module)\u{0}\(name)"
        if let known = numbers[key] { return known }
        let number = Int32(functions.count)
        functions.append(
            Function(
                name: name, module: module, origin: frame?.origin ?? .library,
                isSupport: frame?.isRuntimeSupport ?? false, isStart: ["_start", "thread_start"].contains(name),
                isEntry: Self.allocators.contains(name) || name.hasPrefix("recorded_")
                    || name.hasPrefix("gp_") && name != "gp_send_memory_warning"))
        numbers[key] = number
        return number
    }
}
