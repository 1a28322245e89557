import HistoryModel
import Testing

struct FindingLifeTests {
    private func history(_ present: [Bool?]) -> FindingLife? {
        let runs = present.enumerated().map { number, isThere in
            Run.test(
                number, instruments: isThere == nil ? ["time"] : ["leaks"],
                findings: isThere == true ? [.test("A")] : [])
        }
        return Timeline(runs).findings.first
    }

    @Test("a finding is open since its first commit")
    func open() throws {
        let life = try #require(history([false, true, true, true]))
        #expect(life.state == .open && life.evidence == "since c1, 3 runs")
    }

    @Test("a finding is resolved at the first commit that was searched and lacks it")
    func resolved() throws {
        let life = try #require(history([true, nil, false, false]))
        #expect(life.state == .fixed && life.current.resolved == "c2" && life.lastSeen == "c0")
    }

    @Test("a run without the instrument resolves nothing")
    func unsearched() throws {
        #expect(try #require(history([true, nil, nil])).isOpen)
    }

    @Test("an incomplete run resolves nothing")
    func incomplete() throws {
        let runs = [Run.test(0, findings: [.test("A")]), .test(1, isComplete: false)]
        #expect(try #require(Timeline(runs).findings.first).isOpen)
    }

    @Test("a finding that comes back has returned")
    func returned() throws {
        let life = try #require(history([true, false, false, true]))
        #expect(life.state == .returned && life.evidence == "returned at c3, 1 run; it was resolved at c1")
    }

    @Test("a finding that comes and goes is flaky")
    func flaky() throws {
        #expect(try #require(history([true, false, true, false, true, false, true])).state == .flaky)
    }

    @Test("commits are ordered by date, whatever was added first")
    func order() throws {
        let runs = [Run.test(2), .test(0, findings: [.test("A")]), .test(1, findings: [.test("A")])]
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
            let life = try #require(Timeline(order.map { runs[$0] }).findings.first)
            #expect(life.firstSeen == "c0" && life.current.resolved == "c2")
        }
    }
}
