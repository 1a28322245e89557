import Foundation
import Testing

@testable import GameprofAnalysis
@testable import GameprofBasics
@testable import GameprofReport
@testable import GameprofTrace

/// The report of counted retains and releases.
@Suite struct ReferenceCountingReportTests {
    private static let append = SymbolicatedFrame(
        function: "Array.append(_:)", module: "Swift", image: "libswiftCore.so", origin: .runtime)
    private static let copy = TimeFixture.plumbing("swift_arrayInitWithCopy")

    private static func user(_ name: String, line: Int = 7) -> [SymbolicatedFrame] {
        [TimeFixture.user(name, line: line)]
    }

    @Test("a call in the user's code is the function's, exactly, whatever was sampled")
    func own() throws {
        let time = TimeFixture()
        let card = time.type("Game.Card")
        time.count(
            frames: [Self.user("main"), Self.user("deal()")], type: card, calls: 1_000, immortal: 10, sampled: 64)
        time.count(frames: [Self.user("main"), Self.user("deal()", line: 9)], type: card, releases: true, calls: 400)
        time.count(
            frames: [Self.user("main"), Self.user("deal()", line: 11)], releases: true, isAtomic: false, calls: 5)
        let counting = try #require(time.report().referenceCounting)
        #expect(counting.retains == 1_000 && counting.releases == 405 && counting.immortal == 10)
        #expect(counting.atomic == 1_390 && counting.libraries.isEmpty && counting.missed == nil)
        let row = try #require(counting.functions.first)
        #expect(counting.functions.count == 1 && row.function == "deal()" && row.line == 7 && row.share == 1)
        #expect(row.retains == 1_000 && row.releases == 405 && row.atomic == 1_390 && row.libraryRetains == 0)
        #expect(row.types.first == .init(type: "Game.Card", changes: 1_400))
        #expect(row.lines.map(\.line) == [7, 9, 11] && row.lines[1].releases == 400)
    }

    @Test("calls of a library are split among the user's nearest callers by the sampled stacks")
    func libraries() throws {
        let time = TimeFixture()
        let inner: [[SymbolicatedFrame]] = [[Self.append], [Self.copy]]
        time.count(frames: [Self.user("deal()")] + inner, calls: 1_000, sampled: 30)
        time.count(frames: [Self.user("draw()")] + inner, sampled: 10)
        let counting = try #require(time.report().referenceCounting)
        let library = try #require(counting.libraries.first)
        #expect(counting.libraries.count == 1 && library.function == "swift_arrayInitWithCopy")
        #expect(library.retains == 1_000 && library.callers.map(\.function) == ["deal()", "draw()"])
        #expect(library.callers.map(\.share) == [0.75, 0.25])
        #expect(counting.functions.map(\.libraryRetains) == [750, 250])
        #expect(counting.functions.allSatisfy { $0.retains == 0 && $0.via == ["swift_arrayInitWithCopy"] })
        #expect(TextReferenceCounting.callers(library) == "≈ called by deal() 75 %, draw() 25 %")
    }

    @Test("time in the runtime's functions is the user's nearest function's, and that of counting is told apart")
    func seconds() throws {
        let time = TimeFixture()
        time.count(frames: [Self.user("deal()")], calls: 8)
        time.sample(frames: [Self.user("deal()"), [TimeFixture.plumbing("swift_retain")]], count: 20)
        time.sample(frames: [Self.user("deal()"), [TimeFixture.plumbing("malloc")]], count: 30)
        let recorder = ["gp_hook_retain", "gp_hook_look", "count_change"].map { [TimeFixture.plumbing($0)] }
        time.sample(frames: [Self.user("deal()")] + recorder, count: 40)
        let counting = try #require(time.report().referenceCounting)
        #expect(counting.seconds == 0.02 && counting.countingSeconds == 0.04)
        #expect(counting.functions.first?.seconds == 0.02)
    }

    @Test("what was not counted is said, and a damaged trace breaks nothing")
    func damaged() throws {
        let time = TimeFixture()
        time.miss(3)
        time.count(frames: [Self.user("deal()")], calls: .max, immortal: .max, sampled: .max)
        time.count(frames: [[Self.append]], releases: true, calls: .max, sampled: .max)
        time.count(frames: [Self.user("draw()"), [Self.append]], releases: true, sampled: .max)
        let counting = try #require(time.report().referenceCounting)
        #expect(counting.missed == 3)
        #expect(TextReferenceCounting.remark(counting).contains("3 more calls by signal handlers were not counted."))
        #expect(TextReport.render(time.report()).contains("deal()"))
    }

    @Test("names of functions and types stay text", arguments: ReportFixture.hostile)
    func hostile(_ text: String) throws {
        let time = TimeFixture()
        time.count(frames: [[TimeFixture.user(text, line: 3)]], type: time.type(text), calls: 5)
        var library = Self.append
        library.function = text
        time.count(frames: [[TimeFixture.user(text)], [library]], type: time.type(text), calls: 5, sampled: 5)
        let page = try HTMLReport.render(time.report())
        for sign in ["<script>alert", "<img", "\u{1B}", "\u{202E}", "<\u{301}script>"] { #expect(!page.contains(sign)) }
        let lines = TextReport.render(time.report())
        #expect(!lines.contains("\u{1B}") && !lines.contains("\u{202E}"))
        let json = try JSONReport.render(time.report())
        #expect(try JSONReport.read(json).referenceCounting == time.report().referenceCounting)
    }
}
