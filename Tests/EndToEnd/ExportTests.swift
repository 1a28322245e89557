import Foundation
import Testing

@testable import GameprofAnalysis

/// `gameprof export` and `gameprof diff` on a real recording.
@Suite struct ExportCommandTests {
    @Test func everyFormatIsWrittenBesideTheTrace() throws {
        let game = try RecordedGame()
        for (format, ending) in [
            ("pprof", "pb"), ("speedscope", "speedscope.json"), ("collapsed", "collapsed.txt"),
            ("firefox", "firefox.json"), ("chrome", "trace.json"), ("perf-script", "perf.txt"),
        ] {
            let run = try game.gameprof("export", game.trace, "--format", format)
            #expect(run.status == 0, "\(format): \(run.error)")
            let file = try Data(contentsOf: game.folder.url.appending(path: "game.\(ending)"))
            #expect(file.range(of: Data("DemoList.element(at:)".utf8)) != nil, "\(format)")
        }
        let memory = try game.gameprof(
            "export", game.trace, "--format", "collapsed", "--values", "allocated", "-o", "-")
        #expect(memory.status == 0)
        #expect(memory.output.contains("DemoList.append(_:)"))
    }

    @Test func aTraceComparedWithItselfHasNotChanged() throws {
        let game = try RecordedGame()
        let run = try game.gameprof("diff", game.trace, game.trace, "--json", "-", "--html", "diff.html")
        #expect(run.status == 0)
        let report = try JSONDecoder().decode(ComparisonReport.self, from: Data(run.output.utf8))
        #expect(report.schema == "gameprof-diff")
        let page = try String(contentsOf: game.folder.url.appending(path: "diff.html"), encoding: .utf8)
        #expect(page.contains("Nothing changed."))
        #expect(report.types.isEmpty)
        #expect(report.time?.stacks.isEmpty == true)
        #expect(report.memory?.functions.allSatisfy { $0.own.before == $0.own.after } == true)
    }

    @Test func whatCannotBeExportedIsSaidInASentence() throws {
        let game = try RecordedGame()
        let wrong = try game.gameprof("export", game.trace, "--format", "chrome", "--values", "allocated")
        #expect(wrong.status == 2)
        #expect(wrong.error.contains("chrome supports time only"))
        let missing = try game.gameprof("export", "none.gptrace", "--format", "pprof")
        #expect(missing.status == 2)
        let folder = try game.gameprof("export", game.trace, "--format", "pprof", "-o", "/nowhere/x.pb")
        #expect(folder.status == 2)
        #expect(folder.error.contains("does not exist"))
    }
}

/// Formats read by those whose formats they are.
@Suite(.enabled(if: LongTests.field)) struct ExportFieldTests {
    @Test func goReadsThePprofFile() throws {
        let game = try RecordedGame()
        #expect(try game.gameprof("export", game.trace, "--format", "pprof", "-o", "game.pb").status == 0)
        let go = try Command.run(
            URL(filePath: "/usr/bin/env"), ["go", "tool", "pprof", "-top", "game.pb"], directory: game.folder.url)
        #expect(go.status == 0, "\(go.error)")
        let top = go.output.split(separator: "\n").first {
            $0.contains("%") && !$0.contains("flat%") && $0.contains("List")
        }
        #expect(top?.hasSuffix("DemoList.element(at:)") == true)
    }
}

/// The book's quadratic sum, recorded with samples and allocations.
private struct RecordedGame {
    let folder: TemporaryFolder
    let trace = "game.gptrace"

    init() throws {
        folder = try TemporaryFolder()
        let program = Products.GameLabBuild.debug.executable.path
        let run = try gameprof(
            "record", "--instruments", "time,allocations", "--output", trace, "--", program, "fault", "compute-sum",
            "--presses", "11")
        #expect(run.status == 0, "\(run.error)")
    }

    func gameprof(_ arguments: String...) throws -> CommandResult {
        try Command.run(Products.gameprof, arguments, directory: folder.url)
    }
}
