import GameprofBasics
import SourceModel

/// A type with what its declaration and its extensions say.
final class TypeInfo: Sendable {
    /// Collects a declaration and its extensions.
    struct Building {
        var path: String
        var declaration: TypeDeclaration?
        var file = 0
        var parts: [(file: Int, declaration: TypeDeclaration)] = []

        init(path: String) { self.path = path }

        mutating func add(_ type: TypeDeclaration, file: Int) {
            if parts.isEmpty { self.file = file }
            if type.kind != .extension, declaration == nil {
                declaration = type
                self.file = file
            }
            parts.append((file, type))
        }
    }

    let path: String
    let name: String
    /// `extension` when only extensions of it were read.
    let kind: TypeDeclaration.Kind
    let file: Int
    let position: Int
    let inherited: [TypeReference]
    let generics: [String: TypeReference]
    let attributes: [String]
    let properties: [Property]
    let functions: [Method]
    let cases: [TypeDeclaration.Case]
    private let propertyByName: [String: Int]
    private let methodsByName: [String: [Int]]

    init(_ building: Building, _ weakHolders: WeakHolders) {
        path = building.path
        name = NameTokens.last(of: building.path)
        kind = building.declaration?.kind ?? .extension
        file = building.file
        position = building.declaration?.position ?? 0
        inherited = building.parts.flatMap(\.declaration.inherited)
        generics = building.declaration?.generics ?? [:]
        attributes = building.declaration?.attributes ?? []
        cases = building.declaration?.cases ?? []
        var properties: [Property] = []
        var functions: [Method] = []
        for part in building.parts {
            let isRequirement = part.declaration.kind == .protocol
            properties += part.declaration.properties.map { variable in
                var variable = variable
                if variable.ownership == .strong, variable.attributes.contains(where: weakHolders.contains) {
                    variable.ownership = .weak
                }
                return Property(variable: variable, type: building.path, file: part.file, isRequirement: isRequirement)
            }
            functions += part.declaration.functions.map { Method(function: $0, type: building.path, file: part.file) }
        }
        self.properties = properties
        self.functions = functions
        propertyByName = Dictionary(
            properties.enumerated().map { ($1.variable.name, $0) }, uniquingKeysWith: { first, _ in first })
        methodsByName = Dictionary(grouping: functions.indices) { functions[$0].function.name }
    }

    /// Its declaration was read, here or in another module.
    var isDeclared: Bool { kind != .extension }

    /// Objects of it are counted references. A type that is only extended here may be one: see `KnownTypes`.
    var isClass: Bool { kind == .class || kind == .actor }

    var isValue: Bool { kind == .struct || kind == .enum }

    /// The module itself declares or extends it.
    func isOwn(in module: Module) -> Bool {
        module.isOwn(file: file) || functions.contains { module.isOwn(file: $0.file) }
            || properties.contains { module.isOwn(file: $0.file) }
    }

    func property(_ name: String) -> Property? { propertyByName[name].map { properties[$0] } }

    func methods(_ name: String) -> [Method] { methodsByName[name]?.map { functions[$0] } ?? [] }
}

/// A property and where it is declared.
struct Property: Sendable {
    var variable: Variable
    /// Path of its type.
    var type: String
    var file: Int
    var isRequirement: Bool

    /// Whether an object of the type holds what is stored in it.
    var isStored: Bool { !variable.isComputed && !variable.isStatic && !isRequirement }
    var isOwning: Bool { isStored && variable.ownership == .strong }

    /// The other property of the object that a computed one gives its new value to: `set { handler = newValue }`.
    var forwards: String? {
        guard variable.isComputed, let setter = variable.accessors.first(where: { $0.name == "set" }) else {
            return nil
        }
        for case .expression(.assignment(let target, .name("newValue", _), "=", _)) in setter.body ?? [] {
            switch target {
            case .name(let name, _), .member(.name("self", _)?, let name, _): return name == variable.name ? nil : name
            default: continue
            }
        }
        return nil
    }
}

/// A function of a type and where it is declared.
struct Method: Sendable {
    var function: Function
    /// Path of its type.
    var type: String
    var file: Int
}
