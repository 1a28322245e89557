import Foundation
import Testing

@testable import GameprofAnalysis

/// At -O a closure's body is inlined into the forwarder that the compiler makes, which stands nowhere in the source.
@Suite struct ClosureLineTests {
    private static let source = """
        final class Board {
            var onEnd: (() -> Void)?
            var onTurn: ((Int) -> Int)?
            var onLoad: (() async -> Void)?
            var score = 0
        }
        @inline(never) func short() {
            let board = Board()
            board.onEnd = { board.score += 1 }  // short
        }
        @inline(never) func long(_ limit: Int) {
            let board = Board()
            board.onEnd = {  // long
                board.score += 1
                if board.score > limit { print(board.score, limit) }
            }
        }
        @inline(never) func arguments() {
            let board = Board()
            board.onTurn = { turn in  // arguments
                board.score &+ turn
            }
        }
        @inline(never) func waiting() {
            let board = Board()
            board.onLoad = {  // waiting
                await Task.yield()
                print(board.score)
            }
        }
        func tie(_ board: Board, _ others: [Board]) {
            board.onTurn = { turn in  // tie
                for other in others { other.score += turn }
                print(board.score)
                return board.score &+ turn
            }
        }
        @inline(never) func copied(_ others: [Board]) {
            let board = Board()
            tie(board, others)
        }
        @inline(never) func again(_ others: [Board]) {
            let board = Board()
            tie(board, others + others)
        }
        final class Meter {
            private let names = ["red", "green"]
            private var readings: [Int] = []
            lazy var colour: (Int) -> String = { score in  // colour
                self.readings.append(score)
                return self.names[min(score / 4, self.names.count - 1)]
            }
        }
        @inline(never) func specialised(_ scores: [Int]) {
            let meter = Meter()
            for score in scores { print(meter.colour(score)) }
        }
        @main struct Game {
            static func main() {
                copied([])
                again([])
                specialised([1, 5])
                short()
                long(3)
                arguments()
                waiting()
            }
        }
        """

    @Test("each closure of a cycle has the line where it begins", arguments: SwiftProgram.Build.usual)
    func lines(_ build: SwiftProgram.Build) throws {
        let program = try SwiftProgram.compile(Self.source, module: "Game", build: build)
        let report = try RecordedReport.leaks(of: program).report
        var lines: [String: Int] = [:]
        for finding in report.errors {
            guard let capture = finding.references.first(where: { $0.captures != nil }) else { continue }
            let name = try #require(capture.closure?.firstMatch(of: /in (?:\w+\.)?(\w+)/)).output.1
            lines[String(name)] = capture.line
            #expect(capture.file?.hasSuffix("main.swift") == true, "\(name)")
            let line = try #require(capture.line)
            #expect(finding.fix?.contains("main.swift:\(line)") == true, "\(finding.fix ?? "")")
        }
        for (index, line) in Self.source.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard let name = line.firstMatch(of: /\/\/ (\w+)$/)?.output.1 else { continue }
            #expect(lines[String(name)] == index + 1, "\(name) \(build)")
        }
    }
}
