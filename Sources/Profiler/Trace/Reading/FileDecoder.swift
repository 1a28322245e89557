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
        fixed(gp_open_file.self).map {
            .file(
                .open(
                    OpenFileRecord(
                        file: FileID($0.file), stack: StackID($0.stack), descriptor: $0.descriptor,
                        opened: $0.opened_ns, used: $0.used_ns, hasPeerClosed: header.flags == 1)))
        }
    }
}
