import Foundation
import GameprofTestSupport
import Testing

@testable import GameprofCheck
@testable import GameprofTrace

/// Two programs that are run in turn.
@Suite struct RepeatedDiffTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func diff(_ arguments: [String]) throws -> CommandResult {
        try Command.run(Products.gameprof, ["diff"] + arguments, directory: folder.url)
    }

    /// 60 frames that each last so many nanoseconds.
    private func trace(frames length: UInt64) -> TraceBuilder {
        var builder = TraceBuilder()
        for ticks in [0, 1_000_000_000] as [UInt64] {
            builder.append(.probe(.clock(ClockRecord(ticks: ticks, time: ticks))))
        }
        builder.append(.probe(.name(ProbeNameRecord(id: ProbeNameID(1), name: "frame"))))
        for number in 0...60 {
            builder.append(
                .probe(.event(ProbeRecord(kind: .frame, name: ProbeNameID(1), ticks: 1_000 + UInt64(number) * length))))
        }
        return builder
    }

    private func comparison(
        _ before: [String], _ after: [String]
    ) throws -> (result: CommandResult, comparison: RepeatedComparison) {
        let result = try diff(["--repeat", "5", "--json", "r.json", "--"] + before + ["--"] + after)
        let data = try Data(contentsOf: folder.url.appending(path: "r.json"))
        return (result, try JSONDecoder().decode(RepeatedComparison.self, from: data))
    }

    @Test(arguments: SwiftProgram.Build.usual)
    func `a program that computes and keeps three times as much is worse, the other way round better`(
        in build: SwiftProgram.Build
    ) throws {
        let program = try SwiftProgram.compile(script: "Working.swift", module: "Working", build: build).path
        let (result, worse) = try comparison([program, "1"], [program, "3"])
        #expect(result.status == 1, "\(result.error)")
        #expect(worse.figures.map(\.name) == [.cpu, .resident] && worse.figures.allSatisfy { $0.verdict == .worse })
        #expect(worse.figures.allSatisfy { $0.before.count == 5 && $0.after.count == 5 && $0.p < 0.05 })
        #expect(worse.figures.allSatisfy { ($0.ratio ?? 0) > 2 }, "\(worse.figures)")
        #expect(result.output == String(repeating: "kept 1\nkept 3\n", count: 5))
        #expect(result.error.contains("CPU time") && result.error.contains("peak resident memory"))
        let (back, better) = try comparison([program, "3"], [program, "1"])
        #expect(back.status == 0 && better.figures.allSatisfy { $0.verdict == .better }, "\(back.error)")
    }

    @Test func `the memory of one program is the same in each run, and gets no verdict`() throws {
        let program = try SwiftProgram.compile(script: "Working.swift", module: "Working", build: .optimised).path
        let (result, same) = try comparison([program, "2"], [program, "2"])
        #expect(same.figures.last?.verdict == nil, "\(result.error)")
    }

    @Test func `frames of folders of traces are compared, with a page of the runs in the middle`() throws {
        for (name, milliseconds) in [("quick", UInt64(5)), ("slow", 9)] {
            let place = folder.url.appending(path: name)
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            for number in UInt64(1)...4 {
                try trace(frames: milliseconds * 1_000_000 + number).write(
                    to: place.appending(path: "\(number).gptrace").path)
            }
        }
        let result = try diff(["quick", "slow", "--json", "r.json", "--html", "r.html", "--text"])
        let data = try Data(contentsOf: folder.url.appending(path: "r.json"))
        let comparison = try JSONDecoder().decode(RepeatedComparison.self, from: data)
        #expect(comparison.runs == 4 && comparison.figures.first?.loop == "frame", "\(result.error)")
        let slower = try #require(comparison.figures.first { $0.name == .frameP50 })
        #expect(slower.verdict == .worse && result.status == 1, "\(result.output)")
        #expect(result.output.contains("frame, p50") && result.output.contains("worse"))
        let page = try String(contentsOf: folder.url.appending(path: "r.html"), encoding: .utf8)
        #expect(page.contains("Medians of 4 runs each") && page.contains("rame, p50 worse: "))
        try FileManager.default.removeItem(at: folder.url.appending(path: "slow/4.gptrace"))
        let few = try diff(["quick", "slow"])
        #expect(few.status == 2 && few.error.contains("slow has 3 traces."), "\(few.error)")
        let limited = try diff(["quick", "quick", "--fail-on", "time"])
        #expect(limited.status == 2 && limited.error.contains("--fail-on is for two traces"))
    }

    @Test func `frames of programs that run in turn are compared`() throws {
        let game = [Products.animatedGame.path, "20"]
        let (result, comparison) = try comparison(game, game)
        #expect(comparison.figures.map(\.loop).contains("frame"), "\(result.error)")
        #expect(
            comparison.figures.filter { $0.loop != nil }.map(\.name) == [
                .frameP50, .frameP95, .frameP99, .framesOverBudget,
            ])
        #expect(comparison.figures.allSatisfy { $0.before.count == 5 && $0.after.count == 5 })
    }

    @Test func `each run reads the same input`() throws {
        try Data("one\ntwo\n".utf8).write(to: folder.url.appending(path: "input"))
        let tool = Products.gameprof.path
        let line = "(read first; '\(tool)' diff --repeat 4 -- cat -- cat) < input"
        let result = try Command.run(URL(filePath: "/bin/bash"), ["-c", line], directory: folder.url)
        #expect(result.output == String(repeating: "two\n", count: 8) && result.status == 0, "\(result.error)")
    }

    @Test(arguments: [
        (["--repeat", "5", "--", "/bin/true"], Int32(2), "--repeat compares two programs"),
        (["--repeat", "3", "--", "/bin/true", "--", "/bin/true"], 2, "from 4 to 1000"),
        (["--repeat", "5", "--fail-on", "time", "--", "/bin/true", "--", "/bin/true"], 2, "for two traces"),
        (["--repeat", "4", "--", "/bin/true", "--", "/no/such/program"], 3, "/no/such/program"),
        (["--repeat", "4", "--", "/bin/sh", "-c", "kill -9 $$", "--", "/bin/true"], 4, "did not reach its exit"),
        (["--repeat", "4", "--", "/bin/true", "--", "/bin/false"], 4, "/bin/false failed (exit code 1)"),
        (["one.gptrace"], 2, "Name two traces"), (["/usr", "/no/such/folder"], 2, "There is no file or folder"),
    ])
    func `what cannot be compared is told in a sentence`(
        _ wrong: (arguments: [String], status: Int32, sentence: String)
    ) throws {
        let result = try diff(wrong.arguments)
        #expect(result.status == wrong.status && result.error.contains(wrong.sentence), "\(result.error)")
    }
}
