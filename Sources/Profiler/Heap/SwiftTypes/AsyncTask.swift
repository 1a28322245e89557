import GameprofTrace

/// A task as the runtime of Swift 6 lays it out: swift::Job and swift::AsyncTask (swift/ABI/Task.h), its private storage
/// (TaskPrivate.h), status records (swift/ABI/TaskStatus.h) and asynchronous contexts.
struct AsyncTask {
    /// What the runtime has noted that the task waits for (`TaskDependencyStatusRecord`).
    enum Dependency: Hashable {
        case task(UInt64)
        /// The context of the continuation, which is memory of the task.
        case continuation(UInt64)
        /// The group, which is memory of the task.
        case group(UInt64)
        /// The executor in whose queue it is; 0: the threads of the pool.
        case executor(UInt64)
    }

    /// A word of a task, or of memory of its own, that names another task because of how they are related.
    struct Link: Hashable {
        var place: UInt64
        var task: UInt64
    }

    let memory: MemoryImage
    let address: UInt64
    private let flags: UInt32
    private let status: UInt32

    private static let (flagsOffset, idOffset, resumeOffset, contextOffset): (UInt64, UInt64, UInt64, UInt64) = (
        32, 36, 56, 64
    )
    private static let (statusOffset, recordOffset, slabOffset): (UInt64, UInt64, UInt64) = (96, 104, 120)
    private static let (upperIDOffset, dependencyOffset): (UInt64, UInt64) = (144, 160)
    private static let recordsMost = 4096
    private static let framesMost = 512
    private static let childrenMost = 1 << 22
    private static let nameMost = 256
    /// Between a task and its first context stands room for its result.
    private static let resultsMost: UInt64 = 1024

    /// Nil: no task can lie there.
    init?(_ memory: MemoryImage, _ address: UInt64) {
        guard address & 15 == 0, let flags = memory.u32(address &+ Self.flagsOffset), flags & 0xff == 0,
            let status = memory.u32(address &+ Self.statusOffset), memory.has(address, count: 208)
        else { return nil }
        (self.memory, self.address, self.flags, self.status) = (memory, address, flags, status)
    }

    private func word(_ offset: UInt64) -> UInt64 { memory.word(address &+ offset) ?? 0 }

    var id: UInt64 {
        UInt64(memory.u32(address + Self.idOffset) ?? 0) | UInt64(memory.u32(address + Self.upperIDOffset) ?? 0) << 32
    }

    /// `TaskPriority` with which it was made; 0: none.
    var priority: UInt8 { UInt8(truncatingIfNeeded: flags >> 8) }
    var isCancelled: Bool { status & 0x100 != 0 }
    var isRunning: Bool { status & 0x800 != 0 }
    var isEnqueued: Bool { status & 0x1000 != 0 }
    private var hasDependency: Bool { status & 0x4000 != 0 }
    private var isChild: Bool { flags & 1 << 24 != 0 }
    private var isFuture: Bool { flags & 1 << 25 != 0 }
    private var isGroupChild: Bool { flags & 1 << 26 != 0 }
    var isAsyncLet: Bool { flags & 1 << 28 != 0 }
    private var hasName: Bool { flags & 1 << 30 != 0 }

    /// Behind the runtime's mutex, `pthread_mutex_t` of 40 or 48 bytes: fragments of children, of those in groups, of futures.
    private var fragments: UInt64 { Self.leastSize(memory) }

    /// What every task takes.
    static func leastSize(_ memory: MemoryImage) -> UInt64 { memory.machine == 62 ? 208 : 224 }

    private var future: UInt64 { fragments + (isChild ? 16 : 0) + (isGroupChild ? 8 : 0) }

    /// Whether it has its result, or has given it away.
    var hasEnded: Bool { status & 0x2000 != 0 || isFuture && word(future) & 3 != 0 }

    var parent: UInt64? { isChild ? memory.word(address + fragments) : nil }
    private var nextSibling: UInt64 { isChild ? word(fragments + 8) : 0 }

    /// Nil: it waits for nothing, or the runtime is another one than those known.
    var dependency: Dependency? {
        let record = word(Self.dependencyOffset)
        guard hasDependency, record != 0, memory.word(record &+ 40) == address,
            let dependent = memory.word(record &+ 16), let kind = memory.u32(record &+ 32)
        else { return nil }
        switch kind {
        case 1: return .task(dependent)
        case 2: return .continuation(dependent)
        case 3: return .group(dependent)
        case 4: return .executor(dependent)
        default: return nil
        }
    }

    // MARK: - Status records

    /// Visits the records, innermost first: kind and address.
    private func forEachRecord(_ visit: (UInt8, UInt64) -> Void) {
        var record = word(Self.recordOffset)
        var left = Self.recordsMost
        while record != 0, left > 0, let kind = memory.u8(record) {
            visit(kind, record)
            record = memory.word(record &+ 8) ?? 0
            left -= 1
        }
    }

    /// Whether the program has code that runs when the task is cancelled, or its priority raised: that may hold a continuation in
    /// the task's own memory.
    var hasHandlers: Bool {
        var result = false
        forEachRecord { kind, _ in result = result || kind == 3 || kind == 4 }
        return result
    }

    var name: String? {
        var result: String?
        guard hasName else { return nil }
        forEachRecord { kind, record in
            guard kind == 6, result == nil, let text = memory.word(record &+ 16) else { return }
            result = memory.text(text, limit: Self.nameMost)
        }
        return result
    }

    /// The places that name its children, and the children: those of `async let`, and those of groups.
    var children: [Link] {
        var result: [Link] = []
        forEachRecord { kind, record in
            guard kind == 1 || kind == 2 else { return }
            result += children(at: record &+ 16)
            // The last child of the group; the child of the `async let` once more, with flags.
            guard let last = memory.word(record &+ 24), kind == 2 || result.contains(where: { $0.task == last & ~15 })
            else { return }
            result.append(Link(place: record &+ 24, task: last & ~15))
        }
        return result
    }

    /// Those in its groups, which have not ended, or whose results it has not taken.
    var groupChildren: [UInt64] {
        var result: [UInt64] = []
        forEachRecord { kind, record in
            if kind == 2 { result += children(at: record &+ 16).map(\.task) }
        }
        return result
    }

    /// Those of a group, which begins with the address of its functions; its record follows.
    func children(ofGroup group: UInt64) -> [UInt64] { children(at: group &+ 24).map(\.task) }

    private func children(at place: UInt64) -> [Link] {
        var result: [Link] = []
        var place = place
        while let child = memory.word(place), child != 0, result.count < Self.childrenMost,
            let task = AsyncTask(memory, child), task.isChild
        {
            result.append(Link(place: place, task: child))
            place = child &+ fragments &+ 8
        }
        return result
    }

    /// The places in it, and of what it waits for, that name other tasks: of its parent, of the first that waits for it, of the task
    /// for which it waits itself.
    var links: [Link] {
        var result: [Link] = []
        if let parent {
            result.append(Link(place: address + fragments, task: parent))
            // Its group, which is memory of the parent.
            if isGroupChild { result.append(Link(place: address + fragments + 16, task: parent)) }
        }
        for place in queueLinks { result.append(Link(place: place, task: memory.word(place) ?? 0)) }
        if isFuture { result.append(Link(place: address + future, task: word(future) & ~3)) }
        if case .task(let other) = dependency {
            result.append(Link(place: word(Self.dependencyOffset) &+ 16, task: other))
        }
        return result
    }

    /// Where it names the next one in the queue of an executor, or of those that wait for the same task (`Job::SchedulerPrivate`).
    var queueLinks: [UInt64] { [address + 16, address + 24] }

    // MARK: - Its memory

    /// The task with the first of its frames, which lie behind it.
    var ownRange: Range<UInt64> {
        let first = word(Self.slabOffset)
        let end = first &+ 32 &+ UInt64(memory.u32(first &+ 16) ?? 0)
        let least = address + Self.leastSize(memory)
        let hasFrames = first > address && first < address + Self.resultsMost
        return address..<(hasFrames ? max(end, least) : least)
    }

    /// Where what a slab holds ends (swift::StackAllocator::Slab): behind its header of 32 bytes stands what its last owner left.
    func filledEnd(ofSlab slab: UInt64) -> UInt64 { slab &+ 32 &+ UInt64(memory.u32(slab &+ 20) ?? 0) }

    /// Where the slabs begin in which its frames are.
    var slabs: [UInt64] {
        var result: [UInt64] = []
        var slab = word(Self.slabOffset)
        while slab != 0, result.count < Self.recordsMost, memory.has(slab, count: 24) {
            result.append(slab)
            slab = memory.word(slab &+ 8) ?? 0
        }
        return result
    }

    /// The code with which the task begins, and the context of the closure: they stand in front of its first context
    /// (`FutureAsyncContextPrefix`), which is the last one of a task that waits and lies behind the task itself. Nil: not found.
    func beginning(isCode: (UInt64) -> Bool) -> (code: UInt64, closure: UInt64)? {
        func isFirst(_ context: UInt64) -> Bool {
            guard context & 15 == 0, memory.word(context) == 0, let end = memory.word(context &+ 8),
                let code = memory.word(context &- 24)
            else { return false }
            return isCode(end) && isCode(code)
        }
        let behind = stride(from: address + fragments + 16, to: address + fragments + Self.resultsMost, by: 16)
        let places = isRunning ? Array(behind) : [word(Self.contextOffset)]
        guard let context = places.first(where: isFirst), let code = memory.word(context &- 24),
            let closure = memory.word(context &- 16)
        else { return nil }
        return (code, closure)
    }

    /// The code that goes on, then that of the callers outwards, each with the context of the one before; `isWhole`: up to the end.
    /// Of a task that does not run.
    func frames(isCode: (UInt64) -> Bool) -> (resume: [UInt64], isWhole: Bool) {
        let (resume, first) = (word(Self.resumeOffset), word(Self.contextOffset))
        guard isCode(resume) else { return ([], false) }
        var result = [resume]
        var context = first
        // The context of a continuation says once more where to go on.
        var repeats = true
        while context != 0 {
            guard context & 7 == 0, let next = memory.word(context), let code = memory.word(context &+ 8), isCode(code),
                result.count < Self.framesMost
            else { return (result, false) }
            if !repeats || code != resume { result.append(code) }
            repeats = false
            context = next
        }
        return (result, true)
    }
}
