import Testing

@testable import GameprofAnalysis
@testable import GameprofReport
@testable import GameprofTrace

@Suite struct EnvironmentRowsTests {
    private func value(_ name: String, _ facts: [String: String]) -> String? {
        EnvironmentRows.rows(facts).first { $0.name == name }?.value
    }

    @Test("facts are written in words, with their units")
    func words() {
        let facts = [
            "started": "2026-01-31T12:00:00Z", "processor": "A", "architecture": "x86-64", "cores": "2",
            "online": "16", "memory": "8589934592", "recorder": "0.1.0", "loading": "linked", "swift": "6.3",
        ]
        #expect(value("started", facts) == "2026-01-31 12:00:00 UTC")
        #expect(value("processor", facts) == "A, x86-64")
        #expect(value("cores", facts) == "2 of 16")
        #expect(value("memory", facts) == "8.0 GB")
        #expect(value("recorder", facts) == "gameprof 0.1.0, linked")
        #expect(value("cores", ["recorder": "1", "cores": "4", "online": "4"]) == "4")
    }

    @Test("what is not known is said to be not known")
    func unknown() {
        for name in ["processor", "cores", "memory", "system", "kernel", "Swift runtime", "started"] {
            #expect(value(name, ["recorder": "0.1.0"])?.hasPrefix("not known") == true, "\(name)")
        }
        #expect(value("machine", [:]) == "not known, because an older recorder wrote the trace")
    }

    @Test("of a core file nothing is said of a recorder, nor of how long it ran") func core() throws {
        let facts = ["source": "a core file", "started": "2026-01-31T12:00:00Z", "gameprof": "1.0"]
        let rows = EnvironmentRows.rows(facts).map { "\($0.name): \($0.value)" }
        #expect(rows == ["read from: a core file", "read at: 2026-01-31 12:00:00 UTC", "report: gameprof 1.0"])
        var report = Report(target: .init(executable: "/bin/game"), capture: .init())
        report.environment = facts
        #expect(try !HTMLReport.render(report).contains("run time"))
    }

    @Test("resident memory keeps its peak and its end in a bounded number of points, in whatever order it comes")
    func resident() {
        var memory = ResidentMemory()
        let records = (0..<5_000).map { ResidentRecord(time: UInt64($0) * 10_000_000, bytes: UInt64($0 % 977) << 20) }
        for record in records.reversed() { memory.add(record) }
        #expect(memory.points.count <= ResidentMemory.limit && memory.points.count > ResidentMemory.limit / 4)
        #expect(memory.peak == 976 << 20)
        #expect(memory.points.map(\.time) == memory.points.map(\.time).sorted())
        #expect(memory.points.last.map { $0.time > 48_000_000_000 } == true)
    }

    @Test("resident memory is a lane of the timeline beside live memory, and the page says what it was recorded on")
    func page() throws {
        var report = Report(target: .init(executable: "/bin/game", wallSeconds: 1), capture: .init())
        report.allocations = Report.Allocations()
        report.allocations?.timeline = [.init(seconds: 0, liveBytes: 10), .init(seconds: 0.5, liveBytes: 40)]
        report.residentMemory = .init(
            peakBytes: 3 << 20, points: [.init(seconds: 0, bytes: 1 << 20), .init(seconds: 0.5, bytes: 3 << 20)])
        report.environment = ["recorder": "0.1.0", "kernel": "6.12.1"]
        let page = try HTMLReport.render(report)
        #expect(page.contains("id=\"timeline\"") && page.contains("resident, peak 3.0 MB"))
        #expect(page.contains("<dt>kernel</dt><dd>6.12.1</dd>") && page.contains("<dt>Swift runtime</dt><dd>not known"))
    }
}
