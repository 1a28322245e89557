import Foundation
import Testing

@testable import GameprofAnalysis

/// `gameprof time --arc` on a program whose retains and releases are known.
@Suite struct ReferenceCountingTests {
    private typealias Counting = Report.ReferenceCounting

    private struct Run {
        var counting: Report.ReferenceCounting?
        var report: Report
        var result: CommandResult
        var folder: TemporaryFolder

        var page: String {
            get throws { try String(contentsOf: folder.url.appending(path: "page.html"), encoding: .utf8) }
        }

        func function(_ name: String) -> Report.ReferenceCounting.FunctionRow? {
            counting?.functions.first { $0.function == name }
        }
    }

    private static func program(_ build: SwiftProgram.Build) throws -> URL {
        try SwiftProgram.compile(script: "ReferenceCounted.swift", module: "ReferenceCounted", build: build)
    }

    /// The program's output and exit status are those that it has by itself.
    private static func record(
        _ build: SwiftProgram.Build, _ way: String, _ count: Int, options: [String] = ["--arc"], status: Int32 = 0
    ) throws -> Run {
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "report.json")
        let result = try Command.run(
            Products.gameprof,
            ["time"] + options + [
                "--propagate-exit", "--text", "--json", json.path, "--html", "page.html", "--output", "kept.gptrace",
                "--", try program(build).path, way, "\(count)",
            ], directory: folder.url)
        #expect(result.status == status, "\(result.error)")
        let report = try Report(json: json)
        #expect(report.capture.dropped == 0)
        return Run(counting: report.referenceCounting, report: report, result: result, folder: folder)
    }

    /// How often the compiler changes a count for each change that the source asks for: without optimisation it also
    /// retains and releases what the change is asked for.
    private static func factors(_ build: SwiftProgram.Build) -> (same: UInt64, opposite: UInt64) {
        build == .onone ? (2, 1) : (1, 0)
    }

    @Test("retains and releases are counted exactly, by function, line and type", arguments: SwiftProgram.Build.usual)
    func exact(_ build: SwiftProgram.Build) throws {
        let run = try Self.record(build, "plain", 123_457)
        let (same, opposite) = Self.factors(build)
        let retaining = try #require(run.function("retainOften(_:_:)"), "\(run.result.error)")
        #expect(retaining.retains == same * 123_457 && retaining.releases == opposite * 123_457)
        #expect(retaining.atomic == retaining.retains + retaining.releases)
        #expect(retaining.types.first?.type == "ReferenceCounted.Card")
        #expect(retaining.types.first?.changes == retaining.retains + retaining.releases)
        #expect(retaining.file?.hasSuffix("main.swift") == true && retaining.line == 17, "\(retaining)")
        let releasing = try #require(run.function("releaseOften(_:_:)"))
        #expect(releasing.releases == same * 123_457 && releasing.retains == opposite * 123_457)
        #expect(run.counting?.missed == nil)
        #expect(run.result.output.contains("Reference counting: "))
        #expect(try run.page.contains("id=\"reference-counting\""))
        let again = run.folder.url.appending(path: "again.json")
        _ = try Command.run(
            Products.gameprof, ["report", "kept.gptrace", "--json", again.path], directory: run.folder.url)
        #expect(try Report(json: again).referenceCounting == run.counting)
    }

    @Test("changes of several threads are added up", arguments: SwiftProgram.Build.usual)
    func threads(_ build: SwiftProgram.Build) throws {
        let run = try Self.record(build, "threads", 20_011)
        let (same, _) = Self.factors(build)
        #expect(run.function("retainOften(_:_:)")?.retains == 8 * same * 20_011)
        #expect(run.function("releaseOften(_:_:)")?.releases == 8 * same * 20_011)
    }

    @Test("a call that changes a count by several counts as several, and calls without atomics are told apart")
    func kinds() throws {
        let run = try Self.record(.optimised, "kinds", 1_000)
        let together = try #require(run.function("countTogether(_:)"), "\(run.result.error)")
        #expect(together.retains == 5 && together.releases == 5 && together.atomic == 2)
        let nonatomic = try #require(run.function("countNonatomically(_:_:)"))
        #expect(nonatomic.retains == 1_000 && nonatomic.releases == 1_000 && nonatomic.atomic == 0)
    }

    @Test("a function that ends in a jump to the release has its releases")
    func jump() throws {
        let run = try Self.record(.optimised, "jump", 5_000)
        #expect(run.function("releaseLast(_:)")?.releases == 5_000, "\(run.result.error)")
    }

    @Test("changes in the library are those of the functions that call it", arguments: SwiftProgram.Build.usual)
    func libraries(_ build: SwiftProgram.Build) throws {
        let run = try Self.record(build, "copies", 100)
        let copying = try #require(run.counting?.libraries.max { $0.retains < $1.retains })
        // Each copy retains the elements of the array.
        #expect(copying.retains >= 400_000, "\(run.result.error)")
        let often = try #require(run.function("copyOften(_:_:)"))
        let seldom = try #require(run.function("copySeldom(_:_:)"))
        let share = Double(often.libraryRetains) / Double(often.libraryRetains + seldom.libraryRetains)
        #expect(abs(share - 0.75) < 0.05, "\(share)")
        #expect(copying.callers.first?.function == "copyOften(_:_:)")
        #expect(often.types.first?.type == "ReferenceCounted.Card" && often.via.contains(copying.function))
    }

    @Test("names of functions and types cannot break out of the page")
    func hostile() throws {
        let run = try Self.record(.optimised, "hostile", 1_000)
        let row = try #require(run.counting?.functions.first { $0.retains == 1_000 }, "\(run.result.error)")
        #expect(
            row.function.contains("<img src=x onerror=alert(1)>") && row.types.first?.type.contains("<script>") == true)
        let page = try run.page
        #expect(!page.contains("<img src=x") && !page.contains("<script>alert"))
    }

    @Test("_exit, fork and handlers of signals are as they are without counting, and no count is lost or added")
    func endings() throws {
        let left = try Self.record(.optimised, "leave", 7_777, status: 3)
        #expect(left.function("retainOften(_:_:)")?.retains == 7_777, "\(left.result.error)")
        let forked = try Self.record(.optimised, "fork", 7_777)
        #expect(forked.function("retainOften(_:_:)")?.retains == 7_777, "\(forked.result.error)")
        let signalled = try Self.record(.optimised, "signals", 1_000_000)
        let changes = signalled.result.output.split(separator: "\n").first.flatMap { UInt64($0) }
        let each = try #require(changes, "\(signalled.result.output)")
        let retains = try #require(signalled.function("retainOften(_:_:)")).retains
        let releases = try #require(signalled.function("releaseOften(_:_:)")).releases
        let missed = signalled.counting?.missed ?? 0
        #expect(retains + releases + missed == 2 * each, "\(retains), \(releases), \(missed), \(each)")
    }

    @Test("a static standard library is counted, and a stripped one is refused in a sentence")
    func staticLibrary() throws {
        let known = try Self.record(.staticOptimised, "plain", 3_001)
        #expect(known.function("retainOften(_:_:)")?.retains == 3_001, "\(known.result.error)")
        let stripped = try Self.record(.strippedStatic, "plain", 3_001)
        #expect(stripped.counting == nil)
        #expect(stripped.report.capture.notes.contains { $0.hasPrefix("Retains and releases are not counted: ") })
    }

    @Test("nothing is counted unless it is asked for, and not of a process that runs already")
    func unasked() throws {
        #expect(try Self.record(.optimised, "plain", 10, options: []).counting == nil)
        let refused = try Command.run(Products.gameprof, ["time", "--arc", "--pid", "1"])
        #expect(refused.status == 2 && refused.error.contains("--arc controls how a program is recorded"))
    }
}
