import Foundation
import Testing

@testable import GameprofAnalysis

/// What a look from outside could not read may name any object: none is called lost that only such memory holds.
@Suite struct UnreadMemoryTests {
    private static func waiting(_ memory: String) throws -> WaitingProgram {
        try WaitingProgram(
            SwiftProgram.compile(files: ["Unread.swift"], module: "Unread", build: .optimised), [memory])
    }

    private static func look(
        _ source: [String], limit: String? = nil
    ) throws -> (status: Int32, report: Report, text: String) {
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "report.json")
        let limited = limit.map { ["prlimit", "--as=\($0)"] } ?? []
        let result = try Command.run(
            URL(filePath: "/usr/bin/env"),
            limited + [Products.gameprof.path, "leaks"] + source + ["--text", "--json", json.path],
            directory: folder.url)
        return (result.status, try Report(json: json), result.output)
    }

    /// The five cycles are errors, and nothing else is found.
    private static func expectCycles(_ source: [String], _ place: Testing.SourceLocation = #_sourceLocation) throws {
        let look = try look(source)
        #expect(look.status == 1, sourceLocation: place)
        #expect(look.report.findings.map(\.kind) == [.retainCycle], sourceLocation: place)
        #expect(look.report.findings.first?.count == 5, sourceLocation: place)
        #expect(look.report.heap != nil && !look.report.capture.truncated, sourceLocation: place)
    }

    /// No error; the cycles, which own themselves, are a warning, and the report says why.
    private static func expectDoubt(
        _ source: [String], limit: String? = nil, because reason: String,
        _ place: Testing.SourceLocation = #_sourceLocation
    ) throws {
        let look = try look(source, limit: limit)
        #expect(look.status == 4, sourceLocation: place)
        #expect(look.report.findings.map(\.kind) == [.retainCycle], sourceLocation: place)
        #expect(look.report.findings.map(\.severity) == [.warning], sourceLocation: place)
        #expect(look.report.findings.first?.message.contains("Memory that was not read") == true, sourceLocation: place)
        #expect(look.report.heap == nil && look.report.capture.truncated, sourceLocation: place)
        let problem = look.report.capture.problems.first ?? ""
        #expect(problem.hasPrefix("There is no conclusion about leaks:"), sourceLocation: place)
        #expect(problem.contains(reason), "\(problem)", sourceLocation: place)
        #expect(!look.text.contains("No leaks") && !look.text.contains("leaked"), "\(look.text)", sourceLocation: place)
    }

    @Test(
        "what shared, protected or divided memory of a running process names is no leak",
        arguments: ["stack", "large", "shared", "deleted", "protected", "split", "guarded"])
    func seen(_ memory: String) throws {
        let waiting = try Self.waiting(memory)
        try Self.expectCycles(["--pid", waiting.pid])
        _ = try waiting.finish()
    }

    @Test("memory that the program itself cannot read may name its objects")
    func hidden() throws {
        let waiting = try Self.waiting("hidden")
        try Self.expectDoubt(["--pid", waiting.pid], because: "protected it against reading")
        _ = try waiting.finish()
    }

    @Test("memory of which there was no room for a copy may name the process's objects")
    func withoutRoom() throws {
        let waiting = try Self.waiting("large")
        try Self.expectDoubt(["--pid", waiting.pid], limit: "3000000000", because: "no room for a copy")
        _ = try waiting.finish()
    }

    @Test("what a core file that is cut off lacks may name the process's objects")
    func cutCore() throws {
        let waiting = try Self.waiting("stack")
        let folder = try TemporaryFolder()
        let core = try waiting.core(in: folder)
        _ = try waiting.finish()
        try Self.expectCycles([core])
        try Self.putStackBehindEnd(of: core)
        try Self.expectDoubt([core], because: "the core file is cut off")
        let heap = try Command.run(Products.gameprof, ["heap", core, "--text", "--why", "Node"])
        #expect(heap.status == 4)
        #expect(heap.output.contains("2,000 objects"), "\(heap.output)")
        #expect(heap.output.contains("memory that was not read"), "\(heap.output)")
    }

    /// Moves what the file has of the main thread's stack, its last writable memory, behind the file's end: gcore writes the
    /// notes last, which a kernel's core file that is cut off still has.
    private static func putStackBehindEnd(of core: String) throws {
        var file = try Data(contentsOf: URL(filePath: core))
        func number<T: FixedWidthInteger>(_ at: Int) -> T {
            T(littleEndian: file.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: at, as: T.self) })
        }
        let (table, count): (UInt64, UInt16) = (number(32), number(56))
        let headers = (0..<Int(count)).map { Int(table) + 56 * $0 }
        let stack = try #require(
            headers.filter { number($0) as UInt32 == 1 && (number($0 + 4) as UInt32) & 2 != 0 }
                .max { (number($0 + 16) as UInt64) < number($1 + 16) })
        withUnsafeBytes(of: UInt64(file.count).littleEndian) { file.replaceSubrange(stack + 8..<stack + 16, with: $0) }
        try file.write(to: URL(filePath: core))
    }

    @Test("memory that coredump_filter left out of a core file may name the process's objects")
    func filteredCore() throws {
        let waiting = try Self.waiting("shared")
        let folder = try TemporaryFolder()
        try Self.expectCycles([waiting.core(in: folder)])
        // Private memory and headers of files, no shared memory.
        try Data("0x31".utf8).write(to: URL(filePath: "/proc/\(waiting.pid)/coredump_filter"))
        try Self.expectDoubt([waiting.core(in: folder)], because: "coredump_filter")
        _ = try waiting.finish()
    }

    @Test("a process that has never called malloc has no blocks, and none of them is lost")
    func noMalloc() throws {
        let waiting = try WaitingProgram(CProgram.compile("NoMalloc.c"))
        let folder = try TemporaryFolder()
        for source in [["--pid", waiting.pid], [try waiting.core(in: folder)]] {
            let look = try Self.look(source)
            #expect(look.status == 0, "\(look.text)")
            #expect(look.report.heap?.blocks == 0)
            #expect(look.report.capture.notes.contains { $0.contains("the program has not called malloc") })
        }
        _ = try waiting.finish()
    }
}
