import SourceModel
import StaticFindingModel

/// Adds `[weak self]` to a closure, where what results compiles and does the same as long as the object lives.
enum CaptureEdit {
    /// Nil when no such edit is safe: `self` is captured under another name, or a value must be returned.
    static func weakSelf(_ closure: Closure, lines: LineTable, returnsNothing: Bool) -> StaticFinding.Edit? {
        let layout = closure.layout
        guard !closure.captures.contains(where: { ($0.source ?? $0.name) == "self" }), !layout.returnsValue,
            Captures.mentions(closure.body, ["self"]), let first = layout.firstStatement
        else { return nil }
        var pieces = [list(layout, lines)]
        if ownUses(closure) > 0 {
            guard returnsNothing else { return nil }
            let unwrapping = unwrapping(closure, first, lines)
            if unwrapping.offset == pieces[0].offset {
                // Of two edits at one place none is the first.
                pieces[0].text += unwrapping.text
                pieces[0].length += unwrapping.length
            } else {
                pieces.append(unwrapping)
            }
        }
        return StaticFinding.Edit(pieces: pieces)
    }

    /// For a closure that gets into storage.
    static func weakSelf(_ closure: Closure, of flow: Flow, in place: FunctionPlace, _ module: Module)
        -> StaticFinding.Edit?
    {
        guard !flow.held.isByFunction else { return nil }
        return weakSelf(
            closure, lines: module.files[place.file].lines,
            returnsNothing: returnsNothing(flow.held.demanded, module))
    }

    /// For a closure that a call takes, and that returns nothing there.
    static func weakSelf(_ closure: Closure, at site: CallSite, in place: FunctionPlace, _ module: Module)
        -> StaticFinding.Edit?
    {
        let isByFunction = site.held.contains { $0.isByFunction }
        guard site.takes(closure), !isByFunction else { return nil }
        return weakSelf(closure, lines: module.files[place.file].lines, returnsNothing: true)
    }

    /// Whether a type says that its function returns nothing.
    private static func returnsNothing(_ type: TypeReference?, _ module: Module) -> Bool {
        result(of: type, module).map { $0.name == "Void" || $0 == .tuple([]) } ?? false
    }

    /// Whether a closure returns a value, by itself or by the type that its place demands.
    static func returnsValue(_ closure: Closure, _ demanded: TypeReference?, _ module: Module) -> Bool {
        if closure.layout.returnsValue { return true }
        guard let result = result(of: demanded, module), result != .other else { return false }
        return !returnsNothing(demanded, module)
    }

    private static func result(of type: TypeReference?, _ module: Module) -> TypeReference? {
        guard let type else { return nil }
        var inner = module.resolve(type).unwrapped
        while inner.isCollection, let element = inner.element { inner = module.resolve(element).unwrapped }
        guard case .function(let result, _) = inner else { return nil }
        return result
    }

    private static func list(_ layout: Closure.Layout, _ lines: LineTable) -> StaticFinding.Edit.Piece {
        if let list = layout.captureList { return .init(offset: list + 1, length: 0, text: "weak self, ") }
        if let signature = layout.signature { return .init(offset: signature, length: 0, text: "[weak self] ") }
        let isApart = [" ", "\t", "\r", "\n"].contains(lines.text(from: layout.brace + 1, to: layout.brace + 2))
        return .init(offset: layout.brace + 1, length: 0, text: isApart ? " [weak self] in" : " [weak self] in ")
    }

    private static func unwrapping(_ closure: Closure, _ first: Int, _ lines: LineTable) -> StaticFinding.Edit.Piece {
        let layout = closure.layout
        if startsWithOnlySelf(closure, lines, first) { return .init(offset: first, length: 4, text: "self?") }
        if lines.line(at: layout.brace) == lines.line(at: layout.end) {
            return .init(offset: first, length: 0, text: "guard let self else { return }; ")
        }
        let line = lines.text(ofLine: lines.line(at: first))
        let indentation = line.prefix { $0 == " " || $0 == "\t" }
        let isAlone = lines.column(at: first) - 1 == indentation.utf8.count
        let text = isAlone ? "guard let self else { return }\n\(indentation)" : "guard let self else { return }; "
        return .init(offset: first, length: 0, text: text)
    }

    /// `{ self.count += 1 }`: one statement that begins with the one `self`.
    private static func startsWithOnlySelf(_ closure: Closure, _ lines: LineTable, _ first: Int) -> Bool {
        guard closure.body.count == 1, case .expression(let expression) = closure.body[0], ownUses(closure) == 1,
            lines.text(from: first, to: first + 5) == "self."
        else { return false }
        switch expression {
        case .call, .assignment: return true
        default: return false
        }
    }

    /// How often the closure uses `self` itself: not in the capture lists of closures within.
    private static func ownUses(_ closure: Closure) -> Int {
        var count = 0
        closure.body.walk { part in
            switch part {
            case .name("self", _): count += 1
            case .closure(let inner): return !inner.captures.contains { $0.name == "self" }
            default: break
            }
            return true
        }
        return count
    }
}
