import Foundation
import Testing
import TraceFile

@testable import Profiler

@Suite struct ExportTests {
    /// Computing samples alone, as they are exported.
    private let profile = TimeFixture.game.profile().only(.computing)

    private func json(_ format: ExportFormat) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: format.render(profile))
        return try #require(object as? [String: Any])
    }

    @Test func collapsedStacksHaveALineForEachStack() throws {
        let text = String(decoding: try ExportFormat.collapsed.render(profile), as: UTF8.self)
        #expect(
            text == """
                main;main;Game.play() 10
                main;main;Game.play();Board.deal() 70
                main;main;Game.play();Board.draw();Board.draw() 20
                worker;work;Board.draw() 50

                """)
    }

    @Test func theSeparatorsOfCollapsedStacksCannotComeFromNames() throws {
        let time = TimeFixture()
        time.sample("main", "evil;name\n 99", count: 1)
        let text = String(decoding: try ExportFormat.collapsed.render(time.profile()), as: UTF8.self)
        #expect(text == "thread 1;main;evil:name\\u{A} 99 1\n")
    }

    @Test func speedscopeHasEveryThreadsWeights() throws {
        let file = try json(.speedscope)
        let profiles = try #require(file["profiles"] as? [[String: Any]])
        #expect(profiles.map { $0["name"] as? String } == ["main", "worker"])
        let weights = try profiles.map { try #require($0["weights"] as? [Int]).reduce(0, +) }
        #expect(weights == [100_000_000, 50_000_000])
        #expect(profiles.map { $0["endValue"] as? Int } == weights)
        let frames = try #require((file["shared"] as? [String: Any])?["frames"] as? [[String: Any]])
        let stacks = try #require(profiles[1]["samples"] as? [[Int]])
        #expect(stacks[0].map { frames[$0]["name"] as? String } == ["work", "Board.draw()"])
    }

    @Test func columnsOfFirefoxTablesAreEquallyLong() throws {
        let threads = try #require(try json(.firefox)["threads"] as? [[String: Any]])
        #expect(threads.count == 2)
        for thread in threads {
            for case let table as [String: Any] in thread.values {
                let length = try #require(table["length"] as? Int)
                for case let column as [Any] in table.values { #expect(column.count == length) }
            }
        }
        let samples = try threads.map { try #require($0["samples"] as? [String: Any])["length"] as? Int }
        #expect(samples == [100, 50])
    }

    @Test func slicesOfACallerContainThoseOfItsCallees() throws {
        let events = try #require(try json(.chrome)["traceEvents"] as? [[String: Any]])
        let slices = events.filter { $0["ph"] as? String == "X" && $0["tid"] as? Int == 1 }
        func spans(_ name: String) -> [ClosedRange<Double>] {
            slices.filter { $0["name"] as? String == name }.compactMap {
                guard let start = $0["ts"] as? Double, let duration = $0["dur"] as? Double else { return nil }
                return start...(start + duration)
            }
        }
        let callers = spans("Game.play()")
        #expect(!callers.isEmpty)
        for span in spans("Board.deal()") + spans("Board.draw()") {
            #expect(callers.contains { $0.lowerBound <= span.lowerBound && span.upperBound <= $0.upperBound })
        }
    }

    /// Readers nest slices of the same time in the order of the file.
    @Test func aCallersSliceStandsBeforeThoseOfItsCallees() throws {
        let time = TimeFixture()
        time.sample("main", "play", "deal", count: 3)
        time.sample("main", "play", "draw", count: 1)
        let file = try JSONSerialization.jsonObject(with: ExportFormat.chrome.render(time.profile()))
        let events = try #require((file as? [String: Any])?["traceEvents"] as? [[String: Any]])
        let names = events.filter { $0["ph"] as? String == "X" }.compactMap { $0["name"] as? String }
        #expect(names == ["main", "play", "deal", "draw"])
    }

    @Test func perfScriptHasAStackBelowEachSample() throws {
        let text = String(decoding: try ExportFormat.perfScript.render(profile), as: UTF8.self)
        let samples = text.components(separatedBy: "\n\n").filter { !$0.isEmpty }
        #expect(samples.count == 150)
        #expect(samples.allSatisfy { $0.firstMatch(of: #/^\S+ \d+ \d+\.\d{6}: 1000000 task-clock:\n\t/#) != nil })
        #expect(samples.filter { $0.contains(" Board.deal() (game)\n\t") }.count == 70)
    }

    @Test func pprofAddsUpToTheSamples() throws {
        let message = ProtobufReader(try ExportFormat.pprof.render(profile))
        let strings = message.fields(6).map(\.text)
        #expect(strings.first == "")
        let values = message.fields(2).map { $0.message.fields(2)[0].packed }
        #expect(values.map { $0[0] }.reduce(0, +) == 150)
        #expect(values.map { $0[1] }.reduce(0, +) == 150_000_000)
        let functions = message.fields(5).map { strings[Int($0.message.fields(2)[0].number)] }
        #expect(Set(functions).isSuperset(of: ["main", "work", "Game.play()", "Board.deal()", "Board.draw()"]))
        let deepest = try #require(message.fields(2).map { $0.message.fields(1)[0].packed }.max { $0.count < $1.count })
        #expect(deepest.count == 4)
    }

    @Test func bytesOfAllocationsAreExportedByStack() throws {
        let time = TimeFixture()
        time.sample("main", "deal", count: 1)
        time.sample("main", "draw", count: 1)
        var recording = time.recording
        for (index, entry) in recording.samples.entries.enumerated() {
            var counts = AllocationCounts()
            (counts.allocations, counts.bytes, counts.liveBytes) = (UInt64(index) + 1, 1000 * UInt64(index + 1), 16)
            recording.allocations.byStack.append(StackAllocations(stack: entry.stack, type: .none, counts: counts))
        }
        let all = Profile(allocationsOf: recording, symbolicator: time)
        let text = String(decoding: try ExportFormat.collapsed.render(all), as: UTF8.self)
        #expect(text == "allocations;main;deal 1000\nallocations;main;draw 2000\n")
        let live = Profile(allocationsOf: recording, symbolicator: time, live: true)
        #expect(live.samples.map(\.weight) == [16, 16])
    }
}
