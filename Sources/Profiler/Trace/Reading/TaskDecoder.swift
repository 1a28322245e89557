import CTraceFormat

extension RecordFields {
    func tasks() -> TraceRecord? {
        fixed(gp_tasks.self).map {
            var list = TaskList()
            (list.ended, list.isOmitted) = (Int(clamping: $0.ended), header.flags & 1 != 0)
            return .heap(.tasks(list))
        }
    }

    /// A task with its addresses, and with its texts, each ended by a NUL.
    func task() -> TraceRecord? {
        guard let raw = fixed(gp_task.self) else { return nil }
        let rest = UnsafeRawBufferPointer(rebasing: bytes[MemoryLayout<gp_task>.size...])
        let known = Int(raw.resume) + Int(raw.begin)
        let count = known + (has(GP_TASK_PLACED) ? 3 : 0)
        guard rest.count >= 8 * count else { return nil }
        let addresses = (0..<count).map { rest.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self) }
        let texts = rest[(8 * count)...].split(separator: 0, maxSplits: 3, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard texts.count > 3, let status = Self.status(raw, texts, isSure: has(GP_TASK_SURE)) else { return nil }
        var task = TaskFacts(id: raw.id, status: status)
        task.name = has(GP_TASK_NAMED) ? texts[0] : nil
        (task.isCancelled, task.isAsyncLet) = (has(GP_TASK_CANCELLED), has(GP_TASK_ASYNC_LET))
        (task.isCutShort, task.neverResumes) = (has(GP_TASK_CUT_SHORT), has(GP_TASK_NEVER_RESUMES))
        task.parent = Self.position(raw.parent)
        (task.resume, task.begin) = (Array(addresses[..<Int(raw.resume)]), Array(addresses[Int(raw.resume)..<known]))
        task.allocation = StackID(raw.stack)
        (task.priority, task.keptBytes) = (raw.priority, raw.kept)
        (task.finishedChildren, task.finishedStack) = (Int(clamping: raw.finished), StackID(raw.finished_stack))
        if count > known {
            (task.address, task.continuation) = (addresses[known], addresses[known + 1])
            task.occupant = Self.position(UInt32(clamping: addresses[known + 2]))
        }
        return .heap(.task(task))
    }

    private func has(_ flag: Int) -> Bool { Int(header.flags) & flag != 0 }

    private static func position(_ number: UInt32) -> Int? { number == 0 ? nil : Int(number) - 1 }

    private static func status(_ raw: gp_task, _ texts: [String], isSure: Bool) -> TaskFacts.Status? {
        switch Int(raw.status) {
        case GP_TASK_UNKNOWN: return .unknown
        case GP_TASK_RUNS: return .running(thread: raw.other == 0 ? nil : ThreadID(raw.other))
        case GP_TASK_READY: return .ready
        case GP_TASK_EXECUTOR: return .executor(type: texts[1], address: raw.address, isActor: raw.other == 0)
        case GP_TASK_TASK: return .task(position(raw.other))
        case GP_TASK_GROUP: return .group(unfinished: Int(raw.other))
        case GP_TASK_CONTINUATION: break
        default: return nil
        }
        switch Int(raw.holder) {
        case GP_TASK_HOLDER_UNKNOWN: return .continuation(.unknown)
        case GP_TASK_HOLDER_NOBODY: return .continuation(.nobody)
        case GP_TASK_HOLDER_PROPERTY: return .continuation(.property(type: texts[1], name: texts[2]))
        case GP_TASK_HOLDER_VARIABLE: return .continuation(.variable(address: raw.address, isSure: isSure))
        default: return nil
        }
    }
}
