import CTraceFormat

extension RecordFields {
    func fileName() -> TraceRecord? {
        guard let raw = fixed(gp_file_name.self), let kind = FileNameRecord.Kind(rawValue: header.flags) else {
            return nil
        }
        return .file(.name(FileNameRecord(kind: kind, id: FileID(raw.id), name: text(after: gp_file_name.self))))
    }

    func fileUse() -> TraceRecord? {
        guard let raw = fixed(gp_file_use.self) else { return nil }
        if header.flags == UInt8(GP_FILE_RENAMED) {
            return .file(.renamed(from: FileID(raw.stack), to: FileID(raw.file), count: raw.calls))
        }
        guard let operation = FileUseRecord.Operation(rawValue: header.flags) else { return nil }
        return .file(
            .use(
                FileUseRecord(
                    operation: operation, file: FileID(raw.file), stack: StackID(raw.stack), calls: raw.calls,
                    failures: raw.failures, exhausted: raw.exhausted, bytes: raw.bytes, nanoseconds: raw.ns,
                    longest: raw.longest_ns, time: raw.time_ns)))
    }

    func openFile() -> TraceRecord? {
        guard let raw = fixed(gp_open_file.self) else { return nil }
        func has(_ flag: Int) -> Bool { Int(header.flags) & flag != 0 }
        var file = OpenFileRecord(
            file: FileID(raw.file), stack: StackID(raw.stack), descriptor: raw.descriptor, opened: raw.opened_ns,
            used: raw.used_ns, hasPeerClosed: has(GP_OPEN_PEER_CLOSED))
        if raw.holder > 0 {
            file.holder = OpenFileRecord.Holder(
                process: raw.holder, name: text(after: gp_open_file.self), reads: has(GP_OPEN_HELD_FOR_READING),
                writes: has(GP_OPEN_HELD_FOR_WRITING))
        }
        return .file(.open(file))
    }
}
