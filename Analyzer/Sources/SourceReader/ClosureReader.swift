import SourceModel
import SwiftSyntax

extension TreeReader {
    func closure(_ syntax: ClosureExprSyntax) -> Closure {
        let captures = syntax.signature?.capture?.items.map(capture) ?? []
        var parameters: [String] = []
        switch syntax.signature?.parameterClause {
        case .simpleInput(let list): parameters = list.map(\.name.text)
        case .parameterClause(let clause):
            parameters = clause.parameters.map { $0.secondName?.text ?? $0.firstName.text }
        case nil: break
        }
        return Closure(
            captures: captures, parameters: parameters, body: statements(syntax.statements), layout: layout(syntax))
    }

    private func capture(_ syntax: ClosureCaptureSyntax) -> Closure.Capture {
        let ownership: Closure.Capture.Ownership
        switch syntax.specifier?.specifier.text {
        case "weak": ownership = .weak
        case "unowned": ownership = syntax.specifier?.detail?.text == "unsafe" ? .unownedUnsafe : .unowned
        default: ownership = .strong
        }
        var source: String?
        if case .name(let name, _)? = syntax.initializer.map({ expression($0.value) }) { source = name }
        return Closure.Capture(
            name: syntax.name.text, ownership: ownership, source: source, position: syntax.offset)
    }

    private func layout(_ syntax: ClosureExprSyntax) -> Closure.Layout {
        let signature = syntax.signature
        let behindCaptures = signature.flatMap { signature -> Int? in
            signature.parameterClause?.offset ?? signature.effectSpecifiers?.offset ?? signature.returnClause?.offset
                ?? signature.inKeyword.offset
        }
        var returnsValue = false
        if let result = signature?.returnClause.map({ type($0.type).name }) {
            returnsValue = result != "Void" && result != nil
        }
        return Closure.Layout(
            brace: syntax.leftBrace.offset, captureList: signature?.capture?.leftSquare.offset,
            signature: behindCaptures,
            afterIn: signature?.inKeyword.endPositionBeforeTrailingTrivia.utf8Offset,
            firstStatement: syntax.statements.first?.offset, end: syntax.rightBrace.offset, returnsValue: returnsValue)
    }
}
