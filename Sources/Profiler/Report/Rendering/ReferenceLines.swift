import GameprofAnalysis
import GameprofBasics

/// A reference in the one or two lines that a person reads: a closure on the way is a step of its own.
package enum ReferenceLines {
    package struct Row: Hashable {
        package var from: String
        package var ownership: String
        package var to: String
        package var isSuspect: Bool
        package var repeats: Int
        /// Storage, boxes and library objects that the line folds.
        package var via: [String] = []
    }

    /// A word of memory without a type may own what it names, or be what an earlier owner of the memory left.
    private static func ownership(_ reference: Reference) -> String {
        // That a root's word may be stale is said by what the root is called.
        let isOfRoot = reference.via.isEmpty && reference.path.isEmpty
        guard reference.isInferred == true, !isOfRoot else { return PlainText.clean(reference.ownership) }
        return reference.via.contains(ObjectNoun.memory.rawValue) ? "possible (untyped)" : "possible"
    }

    /// `limit`: characters of a type's name that are shown; of a longer one the bare name.
    package static func rows(_ reference: Reference, names: ShortNames, limit: Int = .max) -> [Row] {
        let name = { (type: String) in
            names[type].count <= limit ? names[type] : TypeName.bare(type) + (type.hasSuffix(">") ? "<…>" : "")
        }
        let to = PlainText.clean(name(reference.to))
        let holder = PlainText.clean(reference.holder(named: name(reference.from)))
        let isSuspect = reference.suspect != nil
        let via = reference.via.filter { $0 != ObjectNoun.closureContext.rawValue }.map { names[$0] }
        let repeats = reference.repeats ?? 1
        let ownership = Self.ownership(reference)
        guard reference.closure != nil || reference.captures != nil else {
            return [Row(from: holder, ownership: ownership, to: to, isSuspect: isSuspect, repeats: repeats, via: via)]
        }
        let closure = PlainText.clean(reference.closure ?? "a closure")
        let captured = reference.captures == "self" ? "self" : to
        return [
            Row(from: holder, ownership: ownership, to: closure, isSuspect: false, repeats: 1, via: via),
            Row(
                from: "closure captures \(captured)", ownership: ownership, to: to, isSuspect: isSuspect,
                repeats: repeats),
        ]
    }
}
