import Foundation
import Testing

@testable import GameprofAnalysis
@testable import GameprofTrace

@Suite struct ComparisonTests {
    private static func profile(_ fill: (TimeFixture) -> Void) -> Profile {
        let time = TimeFixture()
        fill(time)
        return time.profile()
    }

    @Test func functionsThatChangedMostComeFirst() throws {
        let before = Self.profile {
            $0.sample("main", "deal", count: 10)
            $0.sample("main", "draw", count: 10)
        }
        let after = Self.profile {
            $0.sample("main", "deal", count: 40)
            $0.sample("main", "draw", count: 9)
            $0.sample("main", "shuffle", count: 5)
        }
        let comparison = ProfileComparison(before: before, after: after)
        #expect(comparison.functions.map(\.name) == ["deal", "shuffle", "draw", "main"])
        #expect(comparison.functions.map(\.own.difference) == [30_000_000, 5_000_000, -1_000_000, 0])
        #expect(comparison.total == .init(before: 20_000_000, after: 54_000_000))
        #expect(comparison.stacks.first?.functions == ["deal", "main"])
    }

    /// `main` has no module but the name of the program's file.
    @Test func aProgramUnderAnotherNameIsStillTheSameProgram() throws {
        func profile(of program: String, count: Int) -> Profile {
            let time = TimeFixture()
            time.program = "/bin/\(program)"
            var main = TimeFixture.user("main")
            (main.module, main.image) = (program, program)
            time.sample(frames: [[main], [TimeFixture.user("deal")]], count: count)
            return time.profile()
        }
        let (before, after) = (profile(of: "game-old", count: 10), profile(of: "game-new", count: 12))
        let comparison = ProfileComparison(before: before, after: after)
        #expect(comparison.functions.map(\.name) == ["deal", "main"])
        #expect(comparison.functions.map(\.total.difference) == [2_000_000, 2_000_000])
        let tree = ComparisonReport.Tree(before: before, after: after)
        #expect(tree.nodes.dropFirst().map { tree.functions[$0.function].name } == ["main", "deal"])
    }

    @Test func anInlinedFunctionIsTheSameAsACalledOne() throws {
        let called = Self.profile {
            $0.sample(
                frames: [[TimeFixture.user("main")], [TimeFixture.user("outer")], [TimeFixture.user("inner")]], count: 8
            )
        }
        let inlined = Self.profile {
            $0.sample(
                frames: [
                    [TimeFixture.user("main")],
                    [TimeFixture.user("inner", line: 3, isInlined: true), TimeFixture.user("outer", line: 2)],
                ], count: 8)
        }
        let comparison = ProfileComparison(before: called, after: inlined)
        #expect(comparison.functions.allSatisfy { $0.own.difference == 0 && $0.total.difference == 0 })
        #expect(comparison.stacks.isEmpty)
    }
}
