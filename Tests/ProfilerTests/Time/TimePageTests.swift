import Foundation
import Testing
import TraceFile

@testable import Profiler

@Suite struct TimePageTests {
    @Test func thePageHoldsTheGraphAndTheFunctions() throws {
        let page = try HTMLReport.render(TimeFixture.game.report())
        #expect(page.contains("Board.deal()"))
        #expect(page.contains("flame-data"))
        #expect(page.contains("class=\"lane\""))
        #expect(!page.contains("id=\"findings\""))
    }

    @Test(arguments: ReportFixture.hostile)
    func hostileNamesStayText(_ text: String) throws {
        let time = TimeFixture()
        time.sample("main", text, count: 3)
        time.sample(text, "x", count: 3, thread: 2)
        time.spend(thread: 1, cpu: 1_000_000, name: text)
        time.spend(thread: 2, cpu: 1_000_000, name: text)
        let page = try HTMLReport.render(time.report())
        for sign in ["<script>alert", "<img", "\u{1B}", "\u{202E}", "<\u{301}script>"] {
            #expect(!page.contains(sign))
        }
        let data = try #require(page.range(of: "id=\"flame-data\">").map { page[$0.upperBound...] })
        let json = try #require(data.range(of: "</script>").map { data[..<$0.lowerBound] })
        #expect(try JSONSerialization.jsonObject(with: Data(json.utf8)) is [String: Any])
    }

    @Test func aHugeProfileStaysBelowTwoMegabytes() throws {
        let time = TimeFixture()
        let long = String(repeating: "ThingWithAnEndlesslyLongName", count: 12)
        for branch in 0..<1_500 {
            time.sample("main", "\(long)\(branch % 64)", "\(long)\(branch)", "\(long)\(branch)x", count: 1 + branch % 7)
        }
        let page = try HTMLReport.render(time.report())
        #expect(page.utf8.count <= HTMLReport.sizeLimit)
        #expect(page.contains("flame-data"))
    }

    @Test func theTextNamesTheHotFunctionAndItsCallers() {
        let text = TextReport.render(TimeFixture.game.report(), instrument: "time")
        #expect(text.contains("150 samples · 1 lost"))
        #expect(text.contains("└ Game.play()"))
        #expect(text.contains("waiting"))
    }
}
