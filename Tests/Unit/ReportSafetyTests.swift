import Testing

@testable import GameprofAnalysis
@testable import GameprofBasics
@testable import GameprofReport

@Suite struct ReportSafetyTests {
    @Test(arguments: ReportFixture.hostile) func thePageEscapesEveryString(text: String) throws {
        let page = try HTMLReport.render(ReportFixture.hostileReport(text))
        let plain = try HTMLReport.render(ReportFixture.hostileReport("harmless"))
        #expect(marks(page) == marks(plain))
        #expect(!page.unicodeScalars.contains { $0.value < 32 && $0 != "\n" })
    }

    /// How often each scalar that has a meaning in HTML stands in the page; entities do not count.
    private func marks(_ page: String) -> [Unicode.Scalar: Int] {
        var result: [Unicode.Scalar: Int] = [:]
        for scalar in page.unicodeScalars where ["<", ">", "\"", "'"].contains(scalar) {
            result[scalar, default: 0] += 1
        }
        return result
    }

    @Test(arguments: ReportFixture.hostile) func theTextHoldsNoControlCharacters(text: String) {
        let output = TextReport.render(ReportFixture.hostileReport(text), instrument: .allocations)
        #expect(!output.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
        #expect(!output.unicodeScalars.contains { $0.properties.generalCategory == .format })
        let plain = TextReport.render(ReportFixture.hostileReport("harmless"), instrument: .allocations)
        #expect(!plain.isEmpty)
    }

    @Test func thePageStaysBelowTwoMegabytesWhateverTheTrace() throws {
        var report = ReportFixture.full
        let long = String(repeating: "Generic<", count: 200) + "\u{1F600}&&&" + String(repeating: ">", count: 200)
        for index in report.findings.indices {
            report.findings[index].title = long
            for number in 0..<300 { report.findings[index].objects["\(long)\(number)"] = number }
            report.findings[index].references += (0..<100).map {
                Reference(from: "Game.A\($0)\(long)", field: "f\($0)", to: long, via: [long, long])
            }
            report.findings[index].allocatedBy?.frames += (0..<300).map { CallStack.Frame(function: "\(long)\($0)") }
        }
        let pattern = report.findings
        for _ in 0..<20 { report.findings += pattern }
        let row = try #require(report.allocations?.byStack.first)
        for number in 0..<1_000 {
            report.allocations?.byType.append(Report.TypeRow(type: "\(long)\(number)", counts: row.counts))
            report.allocations?.byStack.append(row)
        }
        report.allocations?.timeline = (0..<100_000).map {
            Report.Point(seconds: Double($0), liveBytes: UInt64($0 * 977 % 99_991))
        }
        let page = try HTMLReport.render(report)
        #expect(page.utf8.count <= HTMLReport.sizeLimit)
        #expect(page.contains("The page was shortened"))
        let text = TextReport.render(report, instrument: .allocations)
        #expect(text.utf8.count < 500_000)
    }

    @Test func noColourUnlessAskedFor() {
        #expect(!TextReport.render(ReportFixture.full).contains("\u{1B}"))
        let style = TextStyle.forOutput(descriptor: -1, environment: [:])
        #expect(!style.isColoured)
    }

    @Test func namesLoseTheirModuleWhereNothingIsAmbiguous() {
        let names = ShortNames(["Game.Box<Game.Card>", "Game.Card", "Other.Deck", "Game.Deck"])
        #expect(names["Game.Box<Game.Card>"] == "Box<Card>")
        #expect(names["Other.Deck"] == "Other.Deck")
        #expect(ShortNames.strip("Swift.Dictionary<Swift.String, Game.Outer.Card>") == "Dictionary<String, Outer.Card>")
    }

    @Test func quantitiesReadWell() {
        #expect(NumberFormat.bytes(1023) == "1023 B")
        #expect(NumberFormat.bytes(4_199) == "4.1 KB")
        #expect(NumberFormat.bytes(48_234_496) == "46 MB")
        #expect(NumberFormat.count(UInt64(1_234_567)) == "1,234,567")
        #expect(NumberFormat.seconds(0.84) == "0.84 s")
        #expect(NumberFormat.seconds(125) == "2 min 5 s")
    }
}
