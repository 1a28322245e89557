import Foundation
import GameprofBasics
import GameprofTestSupport
import Testing

@testable import GameprofAnalysis
@testable import GameprofCheck
@testable import GameprofTrace

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

    private func probes() throws -> Profile {
        var builder = TraceBuilder()
        builder.append(.probe(.clock(ClockRecord(source: .monotonic, ticks: 0, time: 0))))
        for (id, name) in ["tilt", "load", "won", "cards", "frame"].enumerated() {
            builder.append(.probe(.name(ProbeNameRecord(id: ProbeNameID(UInt32(id) + 1), name: name))))
        }
        func probe(_ kind: ProbeRecord.Kind, _ name: UInt32, _ ticks: UInt64, _ length: UInt32 = 0) {
            builder.append(
                .probe(.event(ProbeRecord(kind: kind, name: ProbeNameID(name), ticks: ticks, length: length))))
        }
        builder.chunk(thread: 1)
        probe(.begin, 1, 1_000_000)
        probe(.interval, 1, 1_500_000, 500_000)
        probe(.end, 1, 3_000_000)
        probe(.span, 2, 2_000_000, 7_000_000)
        probe(.frame, 5, 4_000_000)
        builder.append(.probe(.mark(MarkRecord(time: 6_000_000, generation: 1, name: "level 2"))))
        builder.chunk(thread: 2)
        probe(.frame, 5, 20_000_000)
        probe(.event, 3, 21_000_000)
        probe(.counter, 4, 22_000_000)
        builder.append(.probe(.value(2.5)))
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).gptrace").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try builder.write(to: path)
        let time = TimeFixture()
        time.sample("main", "play", count: 3)
        var profile = time.profile()
        profile.add(try ProbeTimeline.read(path: path), threadNames: [:])
        return profile
    }

    @Test("Chrome and Perfetto show probes, frames, events, marks and counters beside the samples")
    func chromeShowsProbes() throws {
        let file = try JSONSerialization.jsonObject(with: ExportFormat.chrome.render(try probes()))
        let events = try #require((file as? [String: Any])?["traceEvents"] as? [[String: Any]])
        func lines(_ category: String) -> [String] {
            events.filter { $0["cat"] as? String == category }.map { event in
                let number = (event["args"] as? [String: Any])?["value"] as? Double
                let fields: [Any?] = [event["name"], event["ph"], event["ts"], event["dur"], number]
                return fields.compactMap { $0 }.map { "\($0)" }.joined(separator: " ")
            }
        }
        #expect(lines("probe") == ["tilt X 1000 2000", "tilt X 1500 500"])
        #expect(lines("span") == ["load b 2000", "load e 9000"])
        #expect(lines("frame") == ["frame X 4000 16000"])
        #expect(lines("event") == ["won i 21000"])
        #expect(lines("mark") == ["level 2 i 6000"])
        #expect(lines("counter") == ["cards C 22000 2.5"])
        let tracks = events.filter { $0["ph"] as? String == "M" }.compactMap { $0["tid"] as? Int }
        #expect(Set(tracks).count == tracks.count)
        #expect(events.allSatisfy { $0["ph"] as? String == "M" || tracks.contains($0["tid"] as? Int ?? 0) })
    }

    @Test("Firefox shows probes, frames, events and marks as markers of their threads")
    func firefoxShowsProbes() throws {
        let file = try JSONSerialization.jsonObject(with: ExportFormat.firefox.render(try probes()))
        let threads = try #require((file as? [String: Any])?["threads"] as? [[String: Any]])
        let markers = try threads.map { thread -> [String] in
            let table = try #require(thread["markers"] as? [String: Any])
            let strings = try #require(thread["stringArray"] as? [String])
            let names = try #require(table["name"] as? [Int]).map { strings[$0] }
            let starts = try #require(table["startTime"] as? [Double])
            let ends = try #require(table["endTime"] as? [Any])
            return names.indices.map { "\(names[$0]) \(starts[$0]) \((ends[$0] as? Double).map { "\($0)" } ?? "-")" }
        }
        #expect(
            markers == [
                ["tilt 1.0 3.0", "tilt 1.5 2.0", "load 2.0 9.0", "level 2 6.0 -"],
                ["frame 4.0 20.0", "won 21.0 -"],
            ])
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
            (counts.allocations, counts.liveCount) = (UInt64(index) + 1, UInt64(index) + 1)
            (counts.bytes, counts.liveBytes) = (1000 * UInt64(index + 1), 16)
            recording.allocations.byStack.append(StackAllocations(stack: entry.stack, type: .none, counts: counts))
        }
        let all = Profile(allocationsOf: recording, symbolicator: time)
        let text = String(decoding: try ExportFormat.collapsed.render(all), as: UTF8.self)
        #expect(text == "allocations;main;deal 1000\nallocations;main;draw 2000\n")
        let live = Profile(allocationsOf: recording, symbolicator: time, live: true)
        #expect(live.samples.map(\.weight) == [16, 16])
        for (profile, names) in [(all, ["alloc_objects", "alloc_space"]), (live, ["inuse_objects", "inuse_space"])] {
            let message = ProtobufReader(try ExportFormat.pprof.render(profile))
            let strings = message.fields(6).map(\.text)
            #expect(message.fields(1).map { strings[Int($0.message.fields(1)[0].number)] } == names)
            #expect(strings[Int(message.fields(14)[0].number)] == names[1])
        }
    }

    /// Readers take the first mapping for the program, whatever allocated first.
    @Test func theFirstMappingOfPprofIsTheProgram() throws {
        let time = TimeFixture()
        time.sample(frames: [[TimeFixture.plumbing("swift_initRuntime")]], count: 1)
        time.sample("main", "deal", count: 1)
        let message = ProtobufReader(try ExportFormat.pprof.render(time.profile()))
        let strings = message.fields(6).map(\.text)
        let mappings = message.fields(3).map { strings[Int($0.message.fields(5)[0].number)] }
        #expect(mappings == ["game", "libswiftCore.so"])
    }
}
