import Foundation
import GameInstrumentation
import Testing

@Suite("What a game calls", .serialized)
struct InstrumentationTests {
    private class Piece {}
    private final class Rook: Piece {}
    private final class Board {
        let pieces: [Piece] = [Piece(), Rook()]
        let handler: () -> Void = {}
    }

    @Test("an object tree is searched by class, exactly or with its subclasses")
    func search() {
        let tree = ObjectTree(Board())
        #expect(tree.search(Piece.self).count == 2)
        #expect(tree.search(Piece.self, subclasses: false).count == 1)
        #expect(tree.search(Rook.self).count == 1)
        #expect(tree.search(Board.self).isEmpty)
    }

    /// Says itself what it consists of, which would be code of the program.
    private struct Loud: CustomReflectable {
        let piece = Piece()
        var customMirror: Mirror {
            Issue.record("the program's code was called")
            return Mirror(self, children: [])
        }
    }

    private struct Token: ~Copyable { let piece = Piece() }

    private final class Box {
        let any: Any = Loud()
        let optional: Loud? = Loud()
        let token: Token? = Token()
        let choice = Result<(Piece, Int), any Error>.success((Rook(), 1))
        weak var owner: Box?
    }

    @Test("an object tree shows what stands in values, and calls nothing of the program")
    func values() {
        let box = Box()
        box.owner = box
        let fields = ObjectTree(box).root.children.map { "\($0.field) \($0.ownership) \($0.type)" }
        #expect(
            fields.filter { !$0.hasPrefix("token") } == [
                "any.piece strong InstrumentationTests.Piece", "optional.piece strong InstrumentationTests.Piece",
                "choice.success.0 strong InstrumentationTests.Rook", "owner weak InstrumentationTests.Box",
            ])
    }

    @Test("the log goes where it is told to, from its level on, with the function that writes")
    func log() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).log").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(!Instrumentation.log(to: .file("/nowhere/game.log")))
        #expect(Instrumentation.log(to: .file(path), from: .info))
        var made = 0
        func message(_ text: String) -> String {
            made += 1
            return text
        }
        debugLog(message("unseen"))
        debugLog(message("dealt"), level: .info)
        debugLog(message("the board is full"), level: .warning)
        #expect(Instrumentation.log(to: .off, from: .error))
        debugLog(message("unseen"), level: .warning)
        #expect(Instrumentation.log(to: .standardError))
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(made == 2 && lines.count == 2)
        #expect(lines.first?.hasSuffix("log() info: dealt") == true)
        #expect(lines.last?.contains("InstrumentationTests.swift:") == true)
        #expect(lines.last?.hasSuffix("warning: the board is full") == true)
    }
}
