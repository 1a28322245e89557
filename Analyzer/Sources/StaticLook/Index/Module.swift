import GameprofBasics
import SourceModel

/// The files that are looked at together, and what they declare: names are resolved across them.
final class Module: Sendable {
    /// Its own, and behind them those of other modules that it uses.
    let files: [SourceFile]
    /// Files beyond this number are those of other modules: read for what they declare, not looked at.
    let ownCount: Int
    private let byPath: [String: TypeInfo]
    private let byName: [String: [String]]
    private let aliases: [String: TypeReference]
    private let globals: [String: Variable]
    private let freeFunctions: [String: [Function]]
    private let handingOut: Set<String>
    private let propertyOwners: [String: Set<String>]
    /// What every function does to members, by the name of the member.
    let uses: MemberUses
    /// The same for functions of other modules.
    let outsideUses: MemberUses
    /// What a build's index says of what these files do not declare.
    let surroundings: Surroundings
    /// Types that do not keep what is put into them.
    let weakHolders: WeakHolders

    /// Linear in what the files declare and use.
    init(files own: [SourceFile], surroundings: Surroundings = Surroundings()) {
        let outside = surroundings.sources(beside: own)
        let files = own + outside
        self.files = files
        ownCount = own.count
        self.surroundings = surroundings
        var building: [String: TypeInfo.Building] = [:]
        var extensions: [(Int, TypeDeclaration)] = []
        var aliases: [String: TypeReference] = [:]
        var globals: [String: Variable] = [:]
        var functions: [String: [Function]] = [:]
        for (number, file) in files.enumerated() {
            for type in file.types {
                if type.kind == .extension {
                    extensions.append((number, type))
                } else {
                    building[type.path, default: TypeInfo.Building(path: type.path)].add(type, file: number)
                }
            }
            aliases.merge(file.aliases) { first, _ in first }
            for variable in file.globals where number < own.count || globals[variable.name] == nil {
                globals[variable.name] = variable
            }
            for function in file.functions { functions[function.name, default: []].append(function) }
        }
        let declared = Dictionary(grouping: building.values.filter { $0.file < own.count }.map(\.path)) {
            NameTokens.last(of: $0)
        }
        for (number, type) in extensions {
            let isKnown = building[type.path] != nil || number >= own.count
            let path = isKnown ? type.path : declared[type.name]?.min() ?? type.path
            building[path, default: TypeInfo.Building(path: path)].add(type, file: number)
        }
        let weakHolders = WeakHolders(files.flatMap(\.types))
        self.weakHolders = weakHolders
        byPath = building.mapValues { TypeInfo($0, weakHolders) }
        byName = Dictionary(grouping: byPath.keys.sorted(), by: NameTokens.last)
        self.aliases = aliases
        var owners: [String: Set<String>] = [:]
        for type in byPath.values {
            for property in type.properties where property.isStored {
                owners[property.variable.name, default: []].insert(type.path)
            }
        }
        propertyOwners = owners
        self.globals = globals
        freeFunctions = functions
        handingOut = Set(
            files.lazy.flatMap { $0.functions + $0.types.flatMap(\.functions) }.filter(Self.handsOut).map(\.name))
        uses = MemberUses(files: own)
        outsideUses = MemberUses(files: outside)
    }

    /// Paths of the types that store a property of that name.
    func owners(ofProperty name: String) -> Set<String> { propertyOwners[name] ?? [] }

    /// Classes, structs and enums that conform to a protocol.
    func conformers(to type: TypeInfo) -> [TypeInfo] {
        byPath.values.filter { candidate in
            candidate.isDeclared && candidate.kind != .protocol && !candidate.inherited.isEmpty
                && lineage(of: candidate).contains { $0 === type }
        }.sorted { $0.path < $1.path }
    }

    /// Every declared type, by path.
    var types: [TypeInfo] { byPath.values.sorted { $0.path < $1.path } }

    /// Whether the file is one of the module itself.
    func isOwn(file: Int) -> Bool { file < ownCount }

    /// The type that a name means inside the type with that path. Nil when these files do not declare it.
    func type(named name: String, from path: String = "") -> TypeInfo? {
        var scope = path
        while !scope.isEmpty {
            if let inner = byPath["\(scope).\(name)"] { return inner }
            scope = Self.path(around: scope)
        }
        let own = byName[name]?.compactMap { byPath[$0] }.filter { $0.isDeclared && isOwn(file: $0.file) } ?? []
        if let whole = byPath[name], whole.isDeclared || byName[name]?.count == 1 {
            // A nested type of the module's own hides what only others mention.
            if isOwn(file: whole.file) || own.isEmpty || surroundings.mentions(whole) { return whole }
        }
        return own.count == 1 ? own[0] : nil
    }

    func type(of reference: TypeReference?, from path: String = "") -> TypeInfo? {
        guard let reference else { return nil }
        switch resolve(reference.unwrapped) {
        case .named(let names, _):
            if names.count > 1, let whole = byPath[names.joined(separator: ".")] { return whole }
            guard names.count == 1 || !isTypeParameter(names[0], in: path) else { return nil }
            return names.last.flatMap { type(named: $0, from: path) }
        case .composition(let parts): return parts.lazy.compactMap { self.type(of: $0, from: path) }.first
        default: return nil
        }
    }

    /// `Game` of `Game.Board`; empty: nothing is around it.
    private static func path(around path: String) -> String {
        NameTokens.member(of: path).map { String($0.owner) } ?? ""
    }

    /// Whether the type with that path, or one around it, has a type parameter of that name.
    private func isTypeParameter(_ name: String, in path: String) -> Bool {
        var scope = path
        while !scope.isEmpty {
            if byPath[scope]?.generics[name] != nil { return true }
            scope = Self.path(around: scope)
        }
        return false
    }

    /// Names of the types whose objects live on in what a property of that type stores, in the type with that path.
    func kept(by type: TypeReference, in path: String) -> [String] {
        switch resolve(type) {
        case .named(let names, let arguments):
            let name = names.last ?? ""
            if weakHolders.contains(name) { return [name] }
            let isMember = names.count > 1 && isTypeParameter(names[0], in: path)
            return (isMember ? [] : [name]) + arguments.flatMap { kept(by: $0, in: path) }
        case .array(let element), .optional(let element): return kept(by: element, in: path)
        case .dictionary(let key, let value): return kept(by: key, in: path) + kept(by: value, in: path)
        case .tuple(let parts), .composition(let parts): return parts.flatMap { kept(by: $0, in: path) }
        case .function, .metatype, .other: return []
        }
    }

    /// What an alias stands for; anything else is returned as it is.
    func resolve(_ reference: TypeReference) -> TypeReference {
        var result = reference
        for _ in 0..<8 {
            guard case .named(let names, _) = result.unwrapped, names.count == 1, let alias = aliases[names[0]] else {
                return result
            }
            result = result.isOptional ? .optional(alias) : alias
        }
        return result
    }

    func isFunction(_ reference: TypeReference?) -> Bool { reference.map { resolve($0).isFunction } ?? false }

    func global(named name: String) -> Variable? { globals[name] }

    func functions(named name: String) -> [Function] { freeFunctions[name] ?? [] }

    /// Whether some function of that name returns what may hold objects.
    func handsOut(_ name: String) -> Bool { handingOut.contains(name) }

    /// Whether the function has a body, and what it returns may hold objects.
    static func handsOut(_ function: Function) -> Bool {
        guard function.body != nil, let result = function.result else { return false }
        return !(result.name.map(KnownTypes.values.contains) ?? false)
    }

    /// The type and those it inherits from, as far as these files declare them; itself first.
    func lineage(of type: TypeInfo) -> [TypeInfo] {
        var result = [type]
        var waiting = type.inherited
        while let next = waiting.popLast(), result.count < 32 {
            guard let parent = self.type(of: next, from: type.path), !result.contains(where: { $0 === parent }) else {
                continue
            }
            result.append(parent)
            waiting += parent.inherited
        }
        return result
    }

    /// A property of the type, of a class that it inherits from, or of a protocol's extension.
    func property(_ name: String, of type: TypeInfo) -> Property? {
        for ancestor in lineage(of: type) {
            if let found = ancestor.property(name) { return found }
        }
        return nil
    }

    /// The property that in the end stores what is given to the one with that name, which may be computed.
    func storedProperty(_ name: String, of type: TypeInfo) -> Property? {
        var found = property(name, of: type)
        for _ in 0..<4 {
            guard let next = found?.forwards else { break }
            found = property(next, of: type)
        }
        return found
    }

    /// The declared type that wraps the property.
    func wrapper(of property: Property) -> TypeInfo? {
        property.variable.attributes.lazy.compactMap { self.type(named: $0) }
            .first { $0.attributes.contains("propertyWrapper") }
    }

    /// Methods with that name, inherited ones too.
    func methods(_ name: String, of type: TypeInfo) -> [Method] {
        lineage(of: type).flatMap { $0.methods(name) }
    }
}
