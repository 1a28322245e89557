import GameprofTrace

/// What a report calls blocks of a type.
enum TypeNames {
    static func name(_ type: TypeID, in types: TypeTable) -> String {
        guard !type.isNone, let record = types.record(type) else { return ObjectNoun.memory.rawValue }
        return record.name.isEmpty ? noun(record.kind).rawValue : record.name
    }

    private static func noun(_ kind: TypeNameRecord.Kind) -> ObjectNoun {
        switch kind {
        case .local, .genericBox: .contextOrVariable
        case .error: .error
        case .task: .task
        case .job: .job
        case .classInstance: .object
        }
    }
}
