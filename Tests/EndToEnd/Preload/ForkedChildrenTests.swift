import Foundation
import Testing

@testable import GameprofAnalysis

/// Children that the program makes by fork are recorded under --follow as what they are.
@Suite struct ForkedChildrenTests {
    private struct Recording {
        var report: Report
        var result: CommandResult

        /// Of the errors, how many each process has lost, in the order of processes.
        var lost: [Int] { report.errors.map(\.count) }
    }

    /// Records the program and checks that it runs as it does without the tool.
    private func record(
        _ arguments: [String], _ build: SwiftProgram.Build, instrument: String = "leaks",
        options: [String] = ["--follow"]
    ) throws -> Recording {
        let program = try SwiftProgram.compile(script: "Forked.swift", module: "Forked", build: build)
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "r.json")
        let environment = ["SWIFT_BACKTRACE": "enable=no"]
        let alone = try Command.run(program, arguments, environment: environment)
        let result = try Command.run(
            Products.gameprof,
            [instrument, "--quiet", "--json", json.path] + options + ["--", program.path] + arguments,
            environment: environment)
        // Whose line comes first, where parents and children write, is chance.
        #expect(result.output.split(separator: "\n").sorted() == alone.output.split(separator: "\n").sorted())
        return Recording(report: try Report(json: json), result: result)
    }

    private func processes(_ recording: Recording) -> Int { recording.report.processes?.count ?? 1 }

    @Test("what a child lost is reported, however it ends", arguments: SwiftProgram.Build.usual)
    func ends(build: SwiftProgram.Build) throws {
        let workers = try record(["workers"], build)
        #expect(workers.lost.sorted() == [3, 6, 9])
        #expect(workers.report.errors.allSatisfy { $0.kind == .retainCycle && $0.isAllocated(by: "lose") })
        #expect(Set(workers.report.errors.map(\.process)).count == 3)
        #expect(processes(workers) == 4)
        #expect(workers.report.capture.notes.isEmpty)
        let falling = try record(["return"], build)
        #expect(falling.lost == [12])
    }

    @Test("children that lose nothing are silent", arguments: SwiftProgram.Build.usual)
    func healthy(build: SwiftProgram.Build) throws {
        for word in ["quiet pool", "quiet server", "inherited"] {
            let recording = try record([word], build)
            #expect(recording.report.findings.map(\.message) == [], "\(word)")
            #expect(recording.result.status == 0, "\(recording.result.error)")
            #expect(processes(recording) > 1)
        }
    }

    @Test("what the parent lost before the fork is reported once", arguments: SwiftProgram.Build.usual)
    func parent(build: SwiftProgram.Build) throws {
        let recording = try record(["parent"], build)
        #expect(recording.lost.sorted() == [2, 5])
        let parent = recording.report.processes?.first?.process
        #expect(recording.report.errors.first { $0.count == 5 }?.process == parent)
        #expect(recording.report.errors.first { $0.count == 2 }?.process != parent)
        #expect(try record(["grandchild"], build).lost.sorted() == [2, 4])
    }

    @Test(
        "children of a program with threads are recorded, whichever thread forks",
        arguments: SwiftProgram.Build.usual)
    func threads(build: SwiftProgram.Build) throws {
        let recording = try record(["pool"], build)
        #expect(recording.lost.sorted() == [5, 10, 20, 30])
        #expect(processes(recording) == 5)
    }

    @Test("workers that share pipes lose as many as they were asked for", arguments: SwiftProgram.Build.usual)
    func server(build: SwiftProgram.Build) throws {
        let recording = try record(["server"], build)
        #expect(recording.lost.reduce(0, +) == 300)
        #expect(processes(recording) == 4)
    }

    @Test("a signal ends a recorded child as it ends any program", arguments: SwiftProgram.Build.usual)
    func signals(build: SwiftProgram.Build) throws {
        let recording = try record(["signals"], build)
        #expect(recording.lost.sorted() == [3, 8])
        #expect(recording.report.capture.problems.contains { $0.contains("Leaks were not searched for") })
        let ends = recording.report.processes?.dropFirst().map { $0.exit?.signal ?? 0 }
        #expect(ends?.sorted() == [6, 9, 15])
    }

    @Test("the end of a child is what its parent's wait says, whatever ends it and however the parent waits")
    func waits() throws {
        let program = try CProgram.compile("ChildEnds.c")
        let alone = try Command.run(program)
        let folder = try TemporaryFolder()
        let result = try Command.run(
            Products.gameprof,
            ["record", "--follow", "--instruments", "leaks", "-o", "t.gptrace", "--", program.path],
            directory: folder.url)
        // Their recordings are cut off.
        #expect(result.output == alone.output && result.status == 4, "\(result.error)")
        let traces = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        let ends = try traces.filter { $0 != "t.gptrace" && $0.hasSuffix(".gptrace") }.map { trace in
            _ = try Command.run(
                Products.gameprof, ["report", trace, "--quiet", "--json", "r.json"], directory: folder.url)
            let target = try Report(json: folder.url.appending(path: "r.json")).target
            // Each slept for 20 ms.
            #expect(target.wallSeconds > 0.015 && target.wallSeconds < 60)
            return (target.exit?.code).map { $0 } ?? -(target.exit?.signal ?? 0)
        }
        #expect(ends.sorted() == [-13, -12, -11, -10, -9, -3, 9])
    }

    @Test("a child shares memory with its parent until one of them writes there", arguments: SwiftProgram.Build.usual)
    func sharing(build: SwiftProgram.Build) throws {
        let recording = try record(["memory"], build)
        let child = try #require(recording.report.processes?.last)
        let (shared, own) = (try #require(child.sharedBytes), try #require(child.ownBytes))
        #expect(shared > 40_000_000 && shared < 80_000_000, "\(shared)")
        #expect(own >= 16 << 20 && own < 32 << 20, "\(own)")
        #expect(recording.report.processes?.first?.sharedBytes == nil)
    }

    @Test("short children are recorded, ten at a time")
    func many() throws {
        let recording = try record(["many"], .optimised)
        #expect(processes(recording) == 31)
        #expect(recording.lost == [1, 1, 1])
    }

    @Test("of a child that executes a program that program is recorded")
    func executed() throws {
        let recording = try record(["exec", "/bin/true"], .onone)
        #expect(recording.report.processes?.filter { $0.executable.hasSuffix("/true") }.count == 1)
        #expect(processes(recording) == 3)
        #expect(recording.lost == [3], "of the child whose program is missing")
        let fixed = try CProgram.compile("Successors.c", name: "fixed", flags: ["-static"]).path
        let refused = try record(["exec", fixed], .onone)
        #expect(processes(refused) == 2)
        #expect(refused.report.capture.problems.isEmpty)
        #expect(refused.report.capture.notes.contains { $0.contains("fully static") })
    }

    @Test("a child begins with the blocks that lived at the fork")
    func inherited() throws {
        let folder = try TemporaryFolder()
        let program = try SwiftProgram.compile(script: "Forked.swift", module: "Forked", build: .onone)
        let recorded = try Command.run(
            Products.gameprof,
            ["record", "--follow", "--quiet", "--instruments", "allocations,leaks", "-o", "t.gptrace", "--"]
                + [program.path, "inherited"], directory: folder.url)
        #expect(recorded.status == 0, "\(recorded.error)")
        let traces = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        let child = try #require(traces.first { $0 != "t.gptrace" && $0.hasSuffix(".gptrace") })
        _ = try Command.run(Products.gameprof, ["report", child, "--json", "r.json"], directory: folder.url)
        let report = try Report(json: folder.url.appending(path: "r.json"))
        let requests = report.allocations?.byType.first { $0.type == "Forked.Request" }?.counts
        #expect(requests?.allocations == 20)
        #expect(requests?.frees == 4)
        #expect(requests?.liveCount == 16)
        #expect(report.findings.isEmpty)
        let dump = try Command.run(Products.gameprof, ["dump", child], directory: folder.url).output
        #expect(dump.split(separator: "\n").count { $0.contains("forked parent=") } == 1)
    }

    @Test("without --follow children are counted, and the note names the option")
    func counted() throws {
        let notes = try record(["workers"], .onone, options: []).report.capture.notes
        #expect(notes.contains { $0.hasPrefix("3 processes") && $0.hasSuffix("The option --follow records them.") })
        let launched = try record(["workers"], .onone, options: ["--follow=launched"])
        #expect(launched.report.capture.notes == notes)
    }

    @Test(
        "what cannot be recorded in a child is counted, and the option not named",
        arguments: ["zombies", "time"], [[], ["--follow"]])
    func unsupported(instrument: String, options: [String]) throws {
        let recording = try record(["workers"], .onone, instrument: instrument, options: options)
        #expect(recording.report.capture.notes.contains { $0.hasSuffix("nothing is known of their memory.") })
        #expect(processes(recording) == 1)
    }

    @Test("the report of a family is a tree of its processes, with the end and the leaks of each")
    func family() throws {
        let rows = try #require(try record(["family"], .onone).report.processes)
        let root = try #require(rows.first)
        #expect(root.exit?.code == 0 && root.startSeconds == 0)
        let own = rows.dropFirst().filter { $0.executable == root.executable }
        let children = own.filter { $0.parent == root.process }
        #expect(children.map { $0.exit?.code ?? -($0.exit?.signal ?? 0) }.sorted() == [-6, 0, 0, 7])
        #expect(children.filter { $0.leakedBlocks ?? 0 > 0 }.map(\.errors) == [1])
        let grandchild = try #require(own.first { $0.parent != root.process })
        #expect(grandchild.parent == children.first { $0.exit?.code == 7 }?.process)
        #expect(grandchild.errors == 1 && grandchild.leakedBytes ?? 0 > 0)
        let short = rows.filter { $0.executable.hasSuffix("/true") }
        let shells = rows.filter { $0.arguments.first == "-c" && $0.parent == root.process }.map(\.process)
        #expect(short.count == 12 && short.allSatisfy { $0.exit?.code == 0 && shells.contains($0.parent ?? 0) })
        #expect(children.contains { $0.exit?.code == 0 && $0.wallSeconds > 0.35 }, "that outlives its parent")
    }

    @Test("many children that are alike are one line of the text, and have few pages")
    func alike() throws {
        let folder = try TemporaryFolder()
        let program = try SwiftProgram.compile(script: "Forked.swift", module: "Forked", build: .onone)
        let result = try Command.run(
            Products.gameprof,
            ["leaks", "--follow", "--html", "r.html", "--json", "r.json", "--", program.path, "family"],
            environment: ["SWIFT_BACKTRACE": "enable=no"], directory: folder.url)
        let lines = result.error.split(separator: "\n")
        let place = try #require(lines.firstIndex { $0.contains("12 × true") })
        #expect(lines[place].contains(/^    12 × true +exit 0 +.* each +.* +– +nothing/), "\(lines[place])")
        #expect(lines.contains { $0.contains(/^  Forked family +\d+ +signal 6\b.* –$/) })
        #expect(lines.contains { $0.contains(/^    Forked family +\d+ +exit 0 .*1 error/) })
        #expect(!lines.contains { $0.hasPrefix("gameprof leaks · true ") }, "its line says all")
        let rows = try #require(try Report(json: folder.url.appending(path: "r.json")).processes)
        let pages = Set(rows.compactMap(\.page))
        #expect(pages.count == rows.count - 8, "four shells and four programs have none")
        let written = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(Set(written) == pages.union(["r.html", "r.json"]))
        let index = try String(contentsOf: folder.url.appending(path: "r.html"), encoding: .utf8)
        #expect(pages.allSatisfy { index.contains("href=\"\($0)\"") })
    }
}
