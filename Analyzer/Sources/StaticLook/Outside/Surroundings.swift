import SourceModel

/// What a module's own files do not say, but a build's index leads to.
struct Surroundings: Sendable {
    /// A file of another module, read for what it declares.
    struct File: Sendable {
        var source: SourceFile
        var module: String
    }

    var files: [File] = []
    var kinds = OutsideTypes()
    /// By the path of the file.
    var uses: [String: UsedSymbols] = [:]
    /// Types that the module's own files mention, as `Module.Type`.
    var mentioned: Set<String> = [] {
        didSet { mentionedPaths = Set(mentioned.map { String($0.drop { $0 != "." }.dropFirst()) }) }
    }
    private var mentionedPaths: Set<String> = []

    func mentions(_ type: TypeInfo) -> Bool { mentionedPaths.contains(type.path) }

    /// The sources of other modules without the declarations that the module's own files cannot mean: those that are
    /// hidden by declarations of their own, those of a name that several modules declare, and extensions of such.
    func sources(beside own: [SourceFile]) -> [SourceFile] {
        let declared = Set(own.flatMap { $0.types.filter { $0.kind != .extension }.map(\.path) })
        let extended = Set(own.flatMap { $0.types.filter { $0.kind == .extension }.map(\.path) })
        let declaredNames = Set(own.flatMap { $0.types.map(\.name) })
        let functions = Set(own.flatMap { $0.functions.map(\.name) })
        let globals = Set(own.flatMap { $0.globals.map(\.name) })
        var modules: [String: Set<String>] = [:]
        for file in files {
            for type in file.source.types where type.kind != .extension {
                modules[type.path, default: []].insert(file.module)
            }
        }
        func isMeant(_ type: TypeDeclaration, in module: String) -> Bool {
            let path = type.path
            guard !declared.contains(path) else { return false }
            guard let declaring = modules[path] else { return type.kind == .extension }
            let mentioned = declaring.filter { self.mentioned.contains("\($0).\(path)") }
            // An own extension of that name may be one of a system's type.
            if mentioned.isEmpty, extended.contains(path) { return false }
            let meant = mentioned.isEmpty ? declaring : mentioned
            return meant.count == 1 && (type.kind == .extension || meant.contains(module))
        }
        return files.map { file in
            var source = file.source
            source.types = source.types.filter { isMeant($0, in: file.module) }
            source.functions = source.functions.filter { !$0.isPrivate && !functions.contains($0.name) }
            source.globals = source.globals.filter { !$0.isPrivate && !globals.contains($0.name) }
            source.aliases = source.aliases.filter { name, _ in
                !source.innerAliases.contains(name) && !declaredNames.contains(name)
            }
            source.topLevel = []
            return source
        }
    }
}
