import Foundation
import Testing

@testable import GameprofAnalysis
@testable import GameprofBasics
@testable import GameprofReport
@testable import GameprofTrace

@Suite struct ComparisonPageTests {
    private static func profile(_ stacks: [(outer: String, inner: String, count: Int)]) -> Profile {
        let time = TimeFixture()
        for stack in stacks { time.sample(stack.outer, stack.inner, count: stack.count) }
        return time.profile()
    }

    private static func weights(
        before: [(outer: String, inner: String, count: Int)], after: [(outer: String, inner: String, count: Int)]
    ) -> ComparisonReport.Weights {
        .init(before: profile(before), after: profile(after), limit: 200)
    }

    @Test func bothTreesLieOverEachOther() {
        let tree = Self.weights(
            before: [("main", "deal", 10), ("main", "gone", 4)], after: [("main", "deal", 30), ("main", "new", 6)]
        ).tree
        let names = tree.nodes.dropFirst().map { tree.functions[$0.function].name }
        #expect(names.sorted() == ["deal", "gone", "main", "new"])
        func weight(_ name: String) -> ComparisonReport.Change? {
            tree.nodes.first { $0.function >= 0 && tree.functions[$0.function].name == name }?.weight
        }
        #expect(weight("main") == .init(before: 14_000_000, after: 36_000_000))
        #expect(weight("deal") == .init(before: 10_000_000, after: 30_000_000))
        #expect(weight("gone") == .init(before: 4_000_000, after: 0))
        #expect(weight("new") == .init(before: 0, after: 6_000_000))
        #expect(tree.nodes.dropFirst().allSatisfy { tree.nodes[$0.parent].width >= $0.width })
    }

    @Test func whatGrewAndWhatShrankHasItsColour() {
        let weights = Self.weights(
            before: [("main", "slow", 10), ("main", "quick", 40)], after: [("main", "slow", 40), ("main", "quick", 10)])
        let data = FlameData(
            [(tree: weights.tree, label: "CPU time", unit: .nanoseconds)], nodeLimit: 100, textLength: 100)
        let boxes = FlameDrawing(data).values["boxes"] as? [[String: Any]] ?? []
        func box(_ name: String) -> [String: Any]? { boxes.first { ($0["full"] as? String)?.hasPrefix(name) == true } }
        #expect(box("slow")?["origin"] as? String == "grew")
        #expect(box("slow")?["by"] as? String == "75")
        #expect(box("quick")?["origin"] as? String == "shrank")
        #expect(box("main")?["by"] as? String == "0")
    }

    @Test("both timelines share an axis and the scale of equal levels, and each level ends with its recording")
    func timelines() throws {
        func report(_ seconds: Double, _ peak: UInt64) -> Report {
            let time = TimeFixture()
            time.sample("main", "deal", count: 4)
            var report = time.report()
            report.target.wallSeconds = seconds
            var allocations = Report.Allocations()
            // Memory is followed a little longer than the program runs.
            allocations.timeline = [(0.2, 10), (seconds, peak), (seconds + 0.5, peak)].map {
                .init(seconds: $0, liveBytes: $1)
            }
            report.allocations = allocations
            return report
        }
        let timelines = try #require(ComparedTimelines(before: report(1, 40), after: report(2, 80)))
        let names = (timelines.values["rows"] as? [[String: Any]])?.compactMap { $0["name"] as? String }
        #expect(
            names == [
                "before · CPU thread 1", "before · live memory, peak 40 B", "after · CPU thread 1",
                "after · live memory, peak 80 B",
            ])
        let text = try #require(timelines.values["tracks"] as? String)
        let json = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(json["span"] as? Double == 2 && json["doings"] as? [String] == ["deal", "other", "deal", "other"])
        let tracks = try #require(json["tracks"] as? [[String: Any]])
        let levels = tracks.filter { $0["kind"] as? String == "level" }
        #expect(levels.map { $0["greatest"] as? Int } == [80, 80])
        #expect((levels[0]["points"] as? [Int])?.suffix(2) == [1_000_000, 0])
        #expect((levels[1]["points"] as? [Int])?.suffix(2) == [2_000_000, 80])
        let empty = Report(target: .init(executable: "/bin/game", wallSeconds: 1), capture: .init())
        #expect(ComparedTimelines(before: empty, after: report(2, 80)) == nil)
    }

    @Test("a function of a library that changed is named with the user's function that called it")
    func usersCaller() throws {
        func profile(_ count: Int) -> TimeFixture {
            let time = TimeFixture()
            let hash = SymbolicatedFrame(function: "hash(into:)", module: "Swift", image: "game", origin: .runtime)
            time.sample(frames: [[TimeFixture.user("main")], [TimeFixture.user("deal")], [hash]], count: 900 + count)
            time.sample(frames: [[TimeFixture.user("main")], [TimeFixture.user("draw")], [hash]], count: 10)
            time.sample("main", "rest", count: 2_000)
            return time
        }
        let (before, after) = (profile(0), profile(100))
        let report = ComparisonReport(before: (before.recording, before), after: (after.recording, after))
        let time = try #require(report.time)
        let changed = try #require(time.functions.first { $0.name == "hash(into:)" })
        #expect(time.tree.usersCaller(of: changed) == "deal")
        #expect(time.tree.usersCaller(of: .init(name: "rest", module: "Game")) == nil)
        #expect(try ComparisonPage.render(report).contains("called by deal"))
    }

    @Test(arguments: ReportFixture.hostile)
    func hostileNamesStayText(_ text: String) throws {
        let time = TimeFixture()
        time.sample("main", text, count: 3)
        let page = try ComparisonPage.render(
            ComparisonReport(before: (time.recording, time), after: (time.recording, time)))
        for sign in ["<script>alert", "<img", "\u{1B}", "\u{202E}", "<\u{301}script>"] {
            #expect(!page.contains(sign))
        }
        #expect(page.contains("flame-data"))
    }
}
