import GameprofBasics

/// Findings that are not to fail a run: a name, and patterns which must all match.
public struct Suppression: Codable, Hashable, Sendable {
    public var name: String
    /// Kinds of findings it speaks of; empty: all.
    public var kinds: [Finding.Kind] = []
    /// The finding's type or a type on its path, with module.
    public var type: GlobPattern?
    /// `Type.property` of a reference on its path, with or without module.
    public var field: GlobPattern?
    /// A function of the stack that allocated it, or a closure on its path.
    public var function: GlobPattern?
    /// The image or module of a function of the stack that allocated it.
    public var module: GlobPattern?
    /// The rule of a static finding. With it or `file`, the suppression speaks of static findings alone.
    public var rule: GlobPattern?
    /// The source file of a suspect.
    public var file: GlobPattern?
    /// Of the known-leak list: it excuses objects of the user's classes too, where only a library's references make the
    /// cycle.
    package var matchesUserObjects = false
    /// Why it is known not to matter.
    public var evidence: String?

    public init(name: String) { self.name = name }

    /// Whether every pattern that it has matches the finding. One without patterns matches nothing.
    public func matches(_ finding: Finding) -> Bool {
        guard rule == nil, file == nil, kinds.isEmpty || kinds.contains(finding.kind) else { return false }
        guard type != nil || field != nil || function != nil || module != nil else { return false }
        let frames = finding.allocatedBy?.frames ?? []
        if let type {
            let types = [finding.type] + finding.references.flatMap { [$0.from, $0.to] + $0.via }
            guard types.contains(where: type.matches) else { return false }
        }
        if let field {
            let fields = finding.references.flatMap { reference in
                ["\(reference.from).\(reference.field)", "\(TypeName.bare(reference.from)).\(reference.field)"]
            }
            guard fields.contains(where: field.matches) else { return false }
        }
        if let function {
            let functions = frames.map(\.function) + finding.references.compactMap(\.closure)
            guard functions.contains(where: function.matches) else { return false }
        }
        if let module, !frames.contains(where: { module.matches($0.module) }) { return false }
        return true
    }
}
