import Foundation
import RecorderLibrary
import Testing

@testable import GameprofAnalysis

/// Traces of a recorder that was alone: they hold the heap, and whoever reads them searches it.
@Suite struct TraceImageTests {
    private let folder: TemporaryFolder
    private var trace: URL { folder.url.appending(path: "t.gptrace") }
    private var json: URL { folder.url.appending(path: "r.json") }

    init() throws { folder = try TemporaryFolder() }

    private static func program(_ shape: ShapeCase) throws -> URL {
        try SwiftProgram.compile(
            files: ["Common.swift", "\(shape.program.rawValue).swift"], module: shape.program.rawValue,
            build: .optimised)
    }

    /// Records without a tool.
    private func record(_ program: URL, _ arguments: [String], _ variables: [String: String?] = [:]) throws {
        let library = try #require(RecorderLibrary.url)
        let own: [String: String?] = [
            "GAMEPROF": "leaks", "GAMEPROF_TRACE": trace.path, "LD_PRELOAD": library.path,
        ]
        _ = try Command.run(program, arguments, environment: own.merging(variables) { $1 }, directory: folder.url)
    }

    private func report(_ options: [String] = []) throws -> CommandResult {
        try Command.run(
            Products.gameprof, ["report", trace.path, "--quiet", "--json", json.path] + options,
            directory: folder.url)
    }

    private static func said(_ report: Report) -> [String] {
        report.findings.map { "\($0.kind.rawValue) \($0.count)× \($0.bytes) \($0.message) \($0.fix ?? "-")" }
    }

    @Test(arguments: ShapeCase.closures + ShapeCase.concurrency + ShapeCase.rawMemory)
    func `the same is found as with the tool beside the program`(_ shape: ShapeCase) throws {
        let program = try Self.program(shape)
        try record(program, [shape.argument])
        let status = try report().status
        let beside = try RecordedReport.leaks(of: program, [shape.argument])
        #expect(Self.said(try Report(json: json)) == Self.said(beside.report) && status == beside.status)
    }

    @Test func `a trace with the program's memory is for its owner alone`() throws {
        try record(try Self.program(ShapeCase.closures[0]), [ShapeCase.closures[0].argument])
        let mode = try FileManager.default.attributesOfItem(atPath: trace.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let dump = try Command.run(Products.gameprof, ["dump", trace.path])
        #expect(dump.output.contains("heap-image kind="))
    }

    @Test func `a program that is gone gives no conclusion, unless a folder that has it is named`() throws {
        let shape = ShapeCase.closures[0]
        let copy = folder.url.appending(path: "program")
        try FileManager.default.copyItem(at: try Self.program(shape), to: copy)
        try record(copy, [shape.argument])
        let elsewhere = folder.url.appending(path: "elsewhere")
        try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: false)
        try FileManager.default.moveItem(at: copy, to: elsewhere.appending(path: "program"))
        let gone = try report(["--text"])
        #expect(gone.status == 4, "\(gone.output)\(gone.error)")
        let words = (gone.output + gone.error).split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        #expect(
            words.contains("There is no conclusion about leaks") && words.contains("is missing or has changed"),
            "\(words)")
        #expect(try report(["--symbols", elsewhere.path]).status == 1)
    }

    @Test(arguments: [[], ["-Xlinker", "--build-id=none"]])
    func `a program that was rebuilt since gives no conclusion`(_ flags: [String]) throws {
        let (source, program) = (folder.url.appending(path: "main.swift"), folder.url.appending(path: "Game"))
        func build(_ fields: String) throws {
            try Data(
                """
                final class Node { \(fields); var other: Node? }
                @inline(never) func lose() { let (one, two) = (Node(), Node()); (one.other, two.other) = (two, one) }
                lose()
                """.utf8
            ).write(to: source)
            let result = try Command.run(
                URL(filePath: "/usr/bin/env"), ["swiftc", source.path, "-o", program.path] + flags)
            try #require(result.status == 0, "\(result.error)")
        }
        try build("var one = 1")
        try record(program, [])
        #expect(try report().status == 1)
        try build("var one = 1, two = 2, three = 3")
        #expect(try report().status == 4)
    }

    @Test func `a trace that has no room for the memory gives no conclusion`() throws {
        let shape = ShapeCase.closures[0]
        try record(try Self.program(shape), [shape.argument], ["GAMEPROF_MAX_TRACE_SIZE": "1M"])
        let result = try report(["--text"])
        #expect(result.status == 4, "\(result.output)\(result.error)")
        #expect(
            (result.output + result.error).contains("There is no conclusion about leaks"),
            "\(result.output)\(result.error)")
    }

    @Test(arguments: [0.3, 0.6, 0.9])
    func `a trace that is cut off gives no conclusion`(_ share: Double) throws {
        let shape = ShapeCase.closures[0]
        try record(try Self.program(shape), [shape.argument])
        let whole = try Data(contentsOf: trace)
        try whole.prefix(Int(Double(whole.count) * share)).write(to: trace)
        let result = try report(["--text"])
        #expect(result.status == 4, "\(result.output)\(result.error)")
    }
}
