import GameprofBasics
import GameprofTrace

/// A reference from one of the user's objects to the next, with what stands between them folded.
struct PathStep: Sendable, Hashable {
    /// Types with module, or what the object is when it has no class.
    var from: String
    var to: String
    /// The property that begins the step; empty when memory without names holds the reference.
    var field: String
    /// The superclass that declares the property, with module; nil: `from` itself does.
    var declaredIn: String?
    /// The property's type is a generic parameter, an existential of any type or a case of an enum.
    var cannotBeWeak = false
    /// How the property is declared.
    var declaration: HeapReference.Flags = []
    /// The structure, with module, that declares what holds `to`; nil: a class, or it is not known.
    var owner: String?
    /// What holds `to` is declared with `let`.
    var isConstant = false
    /// An existential that is not bound to classes holds `to`.
    var isInExistential = false
    /// Every reference of the step is a library's own.
    var isLibrarys = false
    /// The whole way to `to`, or to the closure that captures it: `cards[…].owner`.
    var path: String
    var ownership: Ownership
    /// Storage, boxes, contexts and library objects on the way.
    var via: [String]
    /// An object of a library on the way that the property holds, itself or in a collection.
    var held: Held?
    /// The function of the closure that captures `to`.
    var closure: String?
    /// A closure captures `to`, whether or not its function has a name.
    var isCapture = false
    /// The closure is a member of `to`'s type, so what it captures is `self`.
    var capturesSelf = false
    /// The caller of that closure gets a value from it.
    var returnsValue = false
    /// Both ends are closures: one captures a variable that holds the other, or itself.
    var isBetweenClosures = false
    var goesThroughCollection = false
    /// A task is on the way.
    var goesThroughTask = false
    /// How many such steps follow each other.
    var repeats = 1
    /// Code of the closure, 0: none.
    var function: UInt64 = 0
    /// The objects at the ends, of the instance that is drawn.
    var fromObject: Int32
    var toObject: Int32
    /// Positions of its references in the graph.
    var edges: [Int32] = []

    struct Held: Sendable, Hashable {
        var type: String
        /// The way to it.
        var path: String
        /// Its position in `via`.
        var position: Int
        var ownership: Ownership
    }

    /// A stored property itself holds `to`, no value or element inside it.
    var isPlainProperty: Bool {
        !isCapture && !field.isEmpty && path == field && FieldName.isSingle(field) && ownership != .conservative
            && !cannotBeWeak
    }

    /// The property that begins the step as the user's source calls it; nil where the user did not write it: a library's
    /// class declares it, or a macro made it.
    var writtenField: String? {
        let declarer = declaredIn ?? from
        guard !field.isEmpty, !field.hasPrefix("_$"), !field.hasPrefix("$"), TypeName.isUsers(declarer) else {
            return nil
        }
        return FieldName.wrapped(path) ?? field
    }

    /// The name that can be declared weak: "owner" of "rows[…].owner"; nil for an element, a value that has a number alone,
    /// and what `weak` does not compile for.
    var weakProperty: String? {
        let name = FieldName.last(path)
        let isWrapped = FieldName.wrapped(path) != nil
        return isCapture || cannotBeWeak || isWrapped || name.hasSuffix("]") || name.allSatisfy(\.isNumber) ? nil : name
    }

    /// The property that begins the step, as the user's source declares it.
    var property: Finding.Property? {
        writtenField.map {
            let isInside = $0 != FieldName.property(of: field) && FieldName.wrapped(path) == nil
            return Finding.Property(
                type: declaredIn ?? from, name: $0, isConstant: declaration.contains(.constant),
                form: form(isInside ? declaration.lastForm : declaration.form))
        }
    }

    /// What a statement can empty or reset so that the step goes: the property, or inside of it the last one of its path.
    var clearable: Finding.Property? {
        guard let whole = property, !whole.isConstant || whole.form == .locked else { return nil }
        var first = whole
        first.form = form(declaration.form)
        if FieldName.wrapped(path) == nil { first.name = FieldName.property(of: field) }
        if first.canBeCleared, first.form != .unknown || first.name == whole.name { return first }
        return whole.canBeCleared && !declaration.contains(.lastConstant) ? whole : nil
    }

    /// Whether the property that holds `to` is declared as an optional; nil: that is not known.
    var isOptional: Bool? { declaration.lastForm == .unknown ? nil : declaration.lastForm == .optional }

    private func form(_ form: HeapReference.Form) -> Finding.Property.Form {
        switch form {
        case .unknown: .unknown
        case .optional: .optional
        case .collection: .collection
        case .function: returnsValue ? .other : .function
        // What a method makes anew each time is another object.
        case .lazy: isCapture ? .lazy : .other
        case .locked: .locked
        case .enumeration: .enumeration
        case .other: .other
        }
    }

    /// Whether the user can change the step.
    var isChangeable: Bool { isCapture || isBetweenClosures || goesThroughTask || (writtenField != nil && !isLibrarys) }

    /// As a report has it, in two references where the property holds a library's object.
    func references(_ symbolicator: any Symbolicating) -> [Reference] {
        var last = reference(symbolicator)
        guard let held else { return [last] }
        var first = Reference(
            from: from, field: field, to: held.type, path: held.path,
            ownership: held.ownership == .conservative ? "strong" : "\(held.ownership)",
            via: Array(via[..<held.position]))
        first.declaredIn = declaredIn
        first.isInferred = held.ownership == .conservative ? true : nil
        first.repeats = last.repeats
        last.from = held.type
        last.declaredIn = nil
        last.path = FieldName.rest(of: path, behind: held.path)
        last.field = FieldName.property(of: last.path)
        last.via = Array(via[(held.position + 1)...])
        return [first, last]
    }

    /// As a report has it. `symbolicator` knows where the closure stands.
    func reference(_ symbolicator: any Symbolicating) -> Reference {
        var result = Reference(
            from: from, field: field, to: to, path: path,
            ownership: ownership == .conservative ? "strong" : "\(ownership)", via: via, closure: closure)
        result.declaredIn = declaredIn
        result.isInferred = ownership == .conservative ? true : nil
        if isCapture {
            result.captures = capturesSelf ? "self" : TypeName.bare(to)
            let place = function == 0 ? nil : symbolicator.function(at: function)
            result.file = place?.file
            result.line = place?.line
        }
        if repeats > 1 { result.repeats = repeats }
        return result
    }

    /// What makes two steps of a cycle equal: no addresses, counts, closure numbers, nothing that the optimiser changes.
    var shape: String { shape(of: { $0 }) }

    /// What makes two steps the same defect: one generic class in the source is one, whatever its arguments are.
    var defect: String { shape(of: TypeName.declared) }

    private func shape(of type: (String) -> String) -> String {
        let known = closure.flatMap { FunctionName.isPlace($0) ? nil : $0 }
        let name = known.map(FunctionName.unnumbered) ?? (isCapture ? "closure" : "")
        return "\(type(from))|\(path)|\(name)|\(type(to))"
    }
}
