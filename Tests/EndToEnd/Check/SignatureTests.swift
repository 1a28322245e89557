import Foundation
import Testing

/// What a baseline accepted stays accepted: a signature says what leaks, not where the line is or how it was compiled.
@Suite struct SignatureTests {
    /// Leaks of several kinds, each made by a function that may be inlined, below some lines of other code.
    private static func source(lines: Int, inlining: String) -> String {
        String(repeating: "// A line of a later version.\n", count: lines) + """
            final class Board {
                var onMove: (() -> Void)?
                var tiles: [Tile] = []
                var named: [String: Tile] = [:]
                deinit { if tiles.count > 1_000 { print("large") } }
            }
            final class Tile { var board: Board?; let number: Int; init(_ number: Int) { self.number = number } }
            struct Score { var points: Int; var holder: Tile }
            final class Over { let scores: [Score]; init(_ scores: [Score]) { self.scores = scores } }

            \(inlining) func makeBoard() -> Board { Board() }
            \(inlining) func makeTile(_ number: Int) -> Tile { Tile(number) }
            \(inlining) func closureCycle() { let board = makeBoard(); board.onMove = { board.tiles.removeAll() } }
            \(inlining) func backReference(_ count: Int) {
                let board = makeBoard()
                for number in 0..<count {
                    let tile = makeTile(number)
                    tile.board = board
                    board.tiles.append(tile)
                }
            }
            \(inlining) func dictionaryCycle() {
                let board = makeBoard(), tile = makeTile(1)
                tile.board = board
                board.named["first"] = tile
            }
            \(inlining) func overRetain() {
                let over = Over([Score(points: 1, holder: makeTile(2))])
                _ = Unmanaged.passRetained(over)
                use(over)
            }
            \(inlining) func rawLeak(_ count: Int) {
                let words = UnsafeMutablePointer<Int>.allocate(capacity: count)
                words.initialize(repeating: count, count: count)
                if words[count / 2] == 0 { print(words) }
            }
            /// Keeps the optimiser from leaving out what nobody reads.
            @inline(never) func use(_ object: AnyObject) { if CommandLine.arguments.count > 100 { print(object) } }

            @main struct Leaks {
                @inline(never) static func play(_ count: Int) {
                    closureCycle()
                    backReference(count)
                    dictionaryCycle()
                    overRetain()
                    rawLeak(count * 100)
                }
                @inline(never) static func overwrite(_ depth: Int) -> Int { depth == 0 ? 0 : overwrite(depth - 1) &+ depth }
                static func main() {
                    play(CommandLine.arguments.count + 3)
                    if overwrite(2_000) == 1 { print("never") }
                }
            }
            """
    }

    @Test func movedLinesInliningAndBuildsChangeNoSignature() throws {
        var signatures: [String: Set<String>] = [:]
        for (lines, inlining) in [(0, "@inline(never)"), (40, ""), (7, "@inline(__always)")] {
            for build in SwiftProgram.Build.usual {
                let program = try SwiftProgram.compile(
                    Self.source(lines: lines, inlining: inlining), module: "Leaks", build: build)
                let found = try RecordedReport.leaks(of: program).report.errors
                signatures["\(build.rawValue) \(inlining)"] = Set(found.map(\.signature))
                #expect(found.count == 5, "\(build) \(inlining): \(found.map(\.message))")
            }
        }
        #expect(Set(signatures.values).count == 1, "\(signatures)")
    }
}
