import CTraceFormat
import GameprofBasics

/// Threads that run none of the program's code, by the frames of their stacks. What a worker of libdispatch's pool has on its stack
/// while it waits for work was left there by work that is done: taken for pointers it would hide leaks.
package struct IdleThreads {
    /// They stand in the kernel with nothing on their stacks but frames of the system's libraries: none of the program's
    /// initializers or moves is under way there.
    private(set) var idle: Set<UInt32> = []
    /// By thread that waits for work: where its frames end.
    private(set) var parkedEnds: [UInt32: UInt64] = [:]

    package struct Frame {
        var end: UInt64
        /// Into its function.
        var returnAddress: UInt64

        package init(end: UInt64, returnAddress: UInt64) { (self.end, self.returnAddress) = (end, returnAddress) }
    }

    /// A thread in a system call.
    private struct Waiting {
        var thread: UInt32
        var call: UInt64
        var stackPointer: UInt64
        var frames: [Frame]
        /// Its thread pointer.
        var pointer: UInt64
    }

    /// Bytes between the first frame of a thread and its thread pointer.
    private static let outermostFrameBelow: UInt64 = 8192
    private static let mostFrames = 32
    private static let dispatch = "libdispatch.so"
    private let memory: MemoryImage

    /// Those of a recorded process.
    init(_ memory: MemoryImage, _ rows: [gp_search_words]) {
        self.memory = memory
        var frames: [UInt32: [Frame]] = [:]
        var pointers: [UInt32: UInt64] = [:]
        for row in rows {
            switch Int(row.kind) {
            case Int(GP_WORDS_FRAME):
                frames[row.thread, default: []].append(Frame(end: row.start, returnAddress: row.end))
            case Int(GP_WORDS_THREAD): pointers[row.thread] = row.start
            default: break
            }
        }
        for row in rows where row.kind == UInt32(GP_WORDS_WAITING) {
            add(
                Waiting(
                    thread: row.thread, call: row.start, stackPointer: row.end, frames: frames[row.thread] ?? [],
                    pointer: pointers[row.thread] ?? 0))
        }
    }

    /// Those of a process that is looked at from outside, or of a core file.
    /// - Parameter frames: of a thread, innermost first; empty: not known.
    init(_ memory: MemoryImage, frames: (MemoryImage.Thread) -> [Frame]) {
        self.memory = memory
        let pointers = Dictionary(memory.threadPointers) { first, _ in first }
        for thread in memory.threads {
            guard let call = thread.systemCall(memory.machine), isParking(call) else { continue }
            add(
                Waiting(
                    thread: thread.id, call: call, stackPointer: thread.stackPointer, frames: frames(thread),
                    pointer: pointers[thread.id] ?? 0))
        }
    }

    private mutating func add(_ waiting: Waiting) {
        let frames = waiting.frames
        guard frames.count < Self.mostFrames, let end = frames.last?.end, end > waiting.stackPointer,
            waiting.pointer &- end < Self.outermostFrameBelow
        else { return }
        let libraries = frames.map { SystemLibrary(at: $0.returnAddress &- 1, in: memory) }
        guard isOfSystem(libraries, in: waiting.call) else { return }
        idle.insert(waiting.thread)
        if waitsForWork(frames, libraries, in: waiting.call) { parkedEnds[waiting.thread] = end }
    }

    /// The words of the program among those that the recorder has listed: of a worker that waits for work only thread-local storage
    /// and the control block are.
    func held(of words: [gp_search_words]) -> [gp_search_words] {
        let ends = parkedEnds.filter { thread, end in words.contains { $0.thread == thread && Self.holds(end, $0) } }
        return words.compactMap { row in
            guard row.kind & UInt32(GP_WORDS_PASSING) != 0, parkedEnds[row.thread] != nil else { return row }
            guard let end = ends[row.thread] else { return Self.isStack(row) ? row : nil }
            guard Self.holds(end, row) else { return nil }
            var rest = row
            rest.start = end
            return rest
        }
    }

    private static func isStack(_ row: gp_search_words) -> Bool { row.kind & 0xff == UInt32(GP_ROOT_STACK) }

    private static func holds(_ end: UInt64, _ row: gp_search_words) -> Bool {
        isStack(row) && row.kind < UInt32(GP_WORDS_BUFFER) && row.start <= end && end < row.end
    }

    // MARK: - Frames

    /// Whether all frames, up to the C library's start of the thread, are the system's. The recorder's own is among them where it
    /// has timed a wait for events.
    private func isOfSystem(_ libraries: [SystemLibrary?], in call: UInt64) -> Bool {
        libraries.enumerated().allSatisfy { number, library in
            switch library {
            case .libc: true
            case .dispatch, .concurrency: number + 1 < libraries.count
            case .recorder: number < 2 && waitsForEvents(call)
            case nil: false
            }
        }
    }

    /// Whether the frames are: C library …, libdispatch …, C library …, with libdispatch's outermost waiting for work, or, as its
    /// manager, for events: what it has on the stack then are the events of before. A worker waits in a futex call, around its one
    /// call of dispatch_semaphore_wait: a function of the program that has ended in a tail call leaves no frame, but what called it
    /// then is another call of the worker's. Workers of a libdispatch that is linked into the program are not recognised.
    private func waitsForWork(_ frames: [Frame], _ libraries: [SystemLibrary?], in call: UInt64) -> Bool {
        guard let first = libraries.firstIndex(of: .dispatch), let last = libraries.lastIndex(of: .dispatch),
            libraries[first...last].allSatisfy({ $0 == .dispatch })
        else { return false }
        guard isFutex(call) else { return waitsForEvents(call) }
        let address = frames[last].returnAddress
        guard let file = memory.mapping(at: address &- 1)?.file,
            let head = memory.mappings.first(where: { $0.file == file && $0.offset == 0 }),
            let wait = ELFImages.definitions(of: ["dispatch_semaphore_wait"], memory, at: head.start).values.first
        else { return false }
        return CalledFunction(before: address, in: memory)?.address == wait
    }

    /// Whether a worker may wait for work in the call.
    private func isParking(_ call: UInt64) -> Bool { isFutex(call) || waitsForEvents(call) }

    /// Also one that the kernel goes on with after a stop (`restart_syscall`).
    private func isFutex(_ call: UInt64) -> Bool {
        memory.machine == 62 ? call == 202 || call == 219 : call == 98 || call == 128
    }

    /// epoll_wait, which x86-64 alone has, and epoll_pwait.
    private func waitsForEvents(_ call: UInt64) -> Bool {
        memory.machine == 62 ? call == 232 || call == 281 : call == 22
    }
}

/// A library whose frames hold nothing of the program's, by its file's name.
enum SystemLibrary: String, CaseIterable {
    case libc = "libc.so"
    case dispatch = "libdispatch.so"
    case concurrency = "libswift_Concurrency.so"
    case recorder = "libGameRecorder.so"

    init?(at address: UInt64, in memory: MemoryImage) {
        guard let file = memory.mapping(at: address)?.file, let slash = file.lastIndex(of: "/"),
            let library = Self.allCases.first(where: { file[slash...].dropFirst().hasPrefix($0.rawValue) })
        else { return nil }
        self = library
    }
}

/// The function that is called in front of a return address, behind the linkage tables. Nil: none, or not known.
private struct CalledFunction {
    var address: UInt64

    init?(before behind: UInt64, in memory: MemoryImage) {
        let isX86 = memory.machine == 62
        guard let target = isX86 ? Self.target(x86: behind, memory) : Self.target(arm: behind, memory) else {
            return nil
        }
        let link = isX86 ? Self.link(x86: target, memory) : Self.link(arm: target, memory)
        address = link.flatMap(memory.word) ?? target
    }

    private static func place(namedBefore end: UInt64, _ memory: MemoryImage) -> UInt64? {
        memory.u32(end &- 4).map { end &+ UInt64(bitPattern: Int64(Int32(bitPattern: $0))) }
    }

    /// `call distance`, `call *word(%rip)`
    private static func target(x86 behind: UInt64, _ memory: MemoryImage) -> UInt64? {
        if memory.u8(behind &- 5) == 0xe8 { return place(namedBefore: behind, memory) }
        return memory.u16(behind &- 6) == 0x15ff ? place(namedBefore: behind, memory).flatMap(memory.word) : nil
    }

    /// `[endbr64] [bnd] jmp *word(%rip)`
    private static func link(x86 entry: UInt64, _ memory: MemoryImage) -> UInt64? {
        var at = entry
        if memory.u32(at) == 0xfa1e_0ff3 { at &+= 4 }
        if memory.u8(at) == 0xf2 { at &+= 1 }
        return memory.u16(at) == 0x25ff ? place(namedBefore: at &+ 6, memory) : nil
    }

    /// `bl distance`
    private static func target(arm behind: UInt64, _ memory: MemoryImage) -> UInt64? {
        guard let call = memory.u32(behind &- 4), call >> 26 == 0x25 else { return nil }
        return behind &- 4 &+ UInt64(bitPattern: Int64(Int32(bitPattern: call << 6) >> 4))
    }

    /// `[bti c]; adrp x16, …; ldr x17, [x16, …]`
    private static func link(arm entry: UInt64, _ memory: MemoryImage) -> UInt64? {
        let at = [0xd503_233f, 0xd503_245f].contains(memory.u32(entry)) ? entry &+ 4 : entry
        guard let page = memory.u32(at), let load = memory.u32(at &+ 4), page & 0x9f00_001f == 0x9000_0010,
            load & 0xffc0_03ff == 0xf940_0211
        else { return nil }
        let pages = Int64(Int32(bitPattern: page << 8) >> 13) * 4 + Int64(page >> 29 & 3)
        return (at & ~4095) &+ UInt64(bitPattern: pages * 4096) &+ UInt64(load >> 10 & 0xfff) * 8
    }
}
