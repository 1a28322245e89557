import CTraceFormat

/// The bytes of a task that had not ended.
extension RecordBytes {
    /// Addresses and bytes of a text beyond these are not stored.
    private static let (mostAddresses, mostText) = (512, 16_384)

    static func task(_ r: TaskFacts) -> [UInt8] {
        let (resume, begin) = (r.resume.prefix(mostAddresses), r.begin.prefix(mostAddresses))
        var raw = gp_task()
        raw.id = r.id
        raw.finished = UInt64(clamping: r.finishedChildren)
        raw.finished_stack = r.finishedStack.rawValue
        raw.stack = r.allocation.rawValue
        (raw.priority, raw.kept) = (r.priority, r.keptBytes)
        raw.parent = number(r.parent)
        (raw.resume, raw.begin) = (UInt16(resume.count), UInt16(begin.count))
        var flags = r.isCancelled ? GP_TASK_CANCELLED : 0
        flags |= r.isAsyncLet ? GP_TASK_ASYNC_LET : 0
        flags |= r.isCutShort || resume.count < r.resume.count ? GP_TASK_CUT_SHORT : 0
        flags |= r.neverResumes ? GP_TASK_NEVER_RESUMES : 0
        flags |= r.name != nil ? GP_TASK_NAMED : 0
        var texts = [r.name ?? "", "", ""]
        switch r.status {
        case .unknown: raw.status = UInt8(GP_TASK_UNKNOWN)
        case .running(let thread): (raw.status, raw.other) = (UInt8(GP_TASK_RUNS), thread?.rawValue ?? 0)
        case .ready: raw.status = UInt8(GP_TASK_READY)
        case .executor(let type, let address, let isActor):
            (raw.status, raw.address, texts[1]) = (UInt8(GP_TASK_EXECUTOR), address, type)
            raw.other = isActor ? 0 : 1
        case .task(let other): (raw.status, raw.other) = (UInt8(GP_TASK_TASK), number(other))
        case .group(let unfinished): (raw.status, raw.other) = (UInt8(GP_TASK_GROUP), UInt32(clamping: unfinished))
        case .continuation(let holder):
            raw.status = UInt8(GP_TASK_CONTINUATION)
            switch holder {
            case .unknown: raw.holder = UInt8(GP_TASK_HOLDER_UNKNOWN)
            case .nobody: raw.holder = UInt8(GP_TASK_HOLDER_NOBODY)
            case .property(let type, let name):
                (raw.holder, texts[1], texts[2]) = (UInt8(GP_TASK_HOLDER_PROPERTY), type, name)
            case .variable(let address, let isSure):
                (raw.holder, raw.address) = (UInt8(GP_TASK_HOLDER_VARIABLE), address)
                flags |= isSure ? GP_TASK_SURE : 0
            }
        }
        let places = [r.address, r.continuation, UInt64(number(r.occupant))]
        let isPlaced = places.contains { $0 != 0 }
        flags |= isPlaced ? GP_TASK_PLACED : 0
        let addresses = (resume + begin + (isPlaced ? places : [])).flatMap(cell)
        return join(
            GP_TASK, raw, bytes: addresses + texts.flatMap { Array($0.utf8.prefix(mostText)) + [0] },
            flags: UInt8(flags))
    }

    /// The number of a task in the list; 0: it is not in it.
    private static func number(_ position: Int?) -> UInt32 { position.map { UInt32(clamping: $0 + 1) } ?? 0 }
}
