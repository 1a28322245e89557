import SourceModel
import SwiftParser
import SwiftSyntax

/// Reads Swift source text into the model that the rules look at. Never fails: what cannot be parsed is left out.
public enum FileReader {
    /// Levels of nesting beyond which nothing is looked into, so that no text can exhaust the stack.
    static let depthLimit = 300
    public static var depthLimitText: String { "\(depthLimit) levels" }
    /// Bytes of stack that a thread needs to call `read`.
    public static let stackSize = 64 << 20

    /// Linear in the text. Call it on a thread with a stack of `stackSize`.
    public static func read(_ bytes: [UInt8], path: String) -> SourceFile {
        let reader = TreeReader(file: SourceFile(path: path, lines: LineTable(bytes)))
        guard NestingGuard.admits(bytes) else {
            reader.file.isCutShort = true
            return reader.file
        }
        let tree = bytes.withUnsafeBufferPointer { Parser.parse(source: $0) }
        for item in tree.statements { reader.topLevel(item) }
        reader.file.ignores = IgnoreComments.find(in: bytes, lines: reader.file.lines)
        return reader.file
    }
}

/// Walks the syntax tree of one file. Extensions hold a kind of syntax each.
final class TreeReader {
    var file: SourceFile
    /// Names of the types around the current place.
    var typePath: [String] = []
    private var depth = 0

    init(file: SourceFile) { self.file = file }

    /// Runs `body` one level deeper, or gives `fallback` when that is too deep.
    func deeper<Result>(_ fallback: @autoclosure () -> Result, _ body: () -> Result) -> Result {
        guard depth < FileReader.depthLimit else {
            file.isCutShort = true
            return fallback()
        }
        depth += 1
        defer { depth -= 1 }
        return body()
    }

    func topLevel(_ item: CodeBlockItemSyntax) {
        switch item.item {
        case .decl(let declaration): topLevel(declaration)
        case .stmt, .expr: file.topLevel += statements(item)
        }
    }

    private func topLevel(_ declaration: DeclSyntax) {
        switch declaration.as(DeclSyntaxEnum.self) {
        case .functionDecl(let function): file.functions.append(self.function(function))
        case .variableDecl(let variable): file.globals += variables(variable)
        case .ifConfigDecl(let configuration):
            for clause in CompilationCondition.clauses(configuration) {
                if case .statements(let items) = clause.elements { items.forEach(topLevel) }
            }
        default: typeDeclaration(declaration)
        }
    }
}

extension SyntaxProtocol {
    /// UTF-8 offset behind spaces and comments.
    var offset: Int { positionAfterSkippingLeadingTrivia.utf8Offset }
}
