import Foundation
import Testing

@testable import GameprofAnalysis

/// `gameprof files`: what a program does with descriptors, and which it loses.
@Suite struct FilesTests {
    private struct Run {
        var report: Report
        var files: Report.Files
        var result: CommandResult

        func file(_ name: String) -> Report.Files.FileRow? { files.byFile.first { $0.name == name } }
    }

    /// The program's output and exit status are those that it has by itself.
    private static func record(_ program: URL, _ arguments: [String]) throws -> Run {
        let plain = try Command.run(program, arguments)
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "report.json")
        let result = try Command.run(
            Products.gameprof, ["files", "--json", json.path, "--", program.path] + arguments)
        #expect(result.output == plain.output && plain.status >= 0)
        let report = try Report(json: json)
        #expect(report.target.exit?.code == Int(plain.status))
        #expect(report.capture.dropped == 0)
        return Run(report: report, files: try #require(report.files), result: result)
    }

    @Test("calls and bytes are those of the program, and neither children nor the recorder count")
    func counts() throws {
        let folder = try TemporaryFolder()
        let run = try Self.record(CProgram.compile("Descriptors.c"), ["all", folder.url.path])
        let data = try #require(run.file(folder.url.path + "/data"))
        // Six for the file, two of its reads at the end; one through the folder; three lines and the end of the stream.
        #expect(data.opened == 5 && data.closed == 5)
        #expect(data.reads == 5 + 2 + 3 + 1 + 1 + 3, "\(data)")
        #expect(data.bytesRead == 5 * 1000 + 160 + 160 + (3 * 4096 - 320) + 10 + 13)
        #expect(data.writes == 3 + 2 + 1 && data.bytesWritten == 3 * 4096 + 320 + 13)
        let zero = try #require(run.file("/dev/zero"))
        #expect(zero.reads == 1 && zero.bytesRead == 7 && zero.opened == 1 && zero.closed == 1)
        let pipe = try #require(run.file("pipe"))
        #expect(pipe.opened == 4 && pipe.closed == 4 && pipe.reads == 1 && pipe.writes == 1)
        let pair = try #require(run.file("socket pair"))
        #expect(pair.opened == 2 && pair.closed == 2 && pair.bytesRead == 8 && pair.bytesWritten == 8)
        let event = try #require(run.file("event counter"))
        #expect(event.opened == 2 && event.closed == 2 && event.reads == 1)
        #expect(try #require(run.file("epoll set")).closed == 1)
        let refused = try #require(run.files.byFile.first { $0.kind == .refused })
        #expect(refused.failures == 3 && run.files.opened == run.files.closed)
        #expect(run.files.neverClosed.isEmpty && run.report.findings.isEmpty)
    }

    @Test("a descriptor that a function forgets is named with its stack", arguments: SwiftProgram.Build.usual)
    func leak(_ build: SwiftProgram.Build) throws {
        let folder = try TemporaryFolder()
        let run = try Self.record(Self.user(build), ["leak", try Self.data(in: folder)])
        let row = try #require(run.files.neverClosed.first)
        #expect(row.count == 40 && row.opened == 40 && row.kind == .file)
        let finding = try #require(run.report.findings.first)
        #expect(run.report.findings.count == 1 && finding.kind == .descriptorLeak && finding.severity == .warning)
        #expect(finding.count == 40 && finding.isAllocated(by: "firstByte(ofAtLeast:)"))
        #expect(finding.allocatedBy?.telling.first?.line == 26)
        #expect(run.result.status == 0)
    }

    @Test("a function that closes half of what it opens is found", arguments: SwiftProgram.Build.usual)
    func half(_ build: SwiftProgram.Build) throws {
        let folder = try TemporaryFolder()
        let run = try Self.record(Self.user(build), ["half", try Self.data(in: folder)])
        let finding = try #require(run.report.findings.first)
        #expect(run.report.findings.count == 1 && finding.kind == .descriptorLeak && finding.count == 30)
        #expect(finding.isAllocated(by: "save(_:)"))
    }

    @Test("a cache that closes the oldest, and held locks, are no finding", arguments: SwiftProgram.Build.usual)
    func comingAndGoing(_ build: SwiftProgram.Build) throws {
        let folder = try TemporaryFolder()
        let run = try Self.record(Self.user(build), ["cache", try Self.data(in: folder)])
        #expect(run.files.neverClosed.map(\.count).sorted() == [25, 30])
        #expect(run.report.findings.isEmpty)
        #expect(run.result.error.contains("30 descriptors that"), "\(run.result.error)")
        #expect(!run.result.error.contains("nothing found"))
    }

    @Test(arguments: ["idle", "hung-up"], SwiftProgram.Build.usual)
    func `files and connections that were lost before the program idles are found`(
        _ way: String, _ build: SwiftProgram.Build
    ) throws {
        let folder = try TemporaryFolder()
        let run = try Self.record(Self.user(build), [way, try Self.data(in: folder)])
        #expect(run.report.findings.map(\.count) == [40], "\(run.files.neverClosed)")
    }

    @Test(arguments: SwiftProgram.Build.usual)
    func `connections that wait and files opened at the start are no finding`(_ build: SwiftProgram.Build) throws {
        let folder = try TemporaryFolder()
        let run = try Self.record(Self.user(build), ["connected", try Self.data(in: folder)])
        #expect(run.files.neverClosed.map(\.count).sorted() == [40, 60])
        #expect(run.report.findings.isEmpty)
    }

    @Test("pools, listeners and files that stay in use are no finding", arguments: SwiftProgram.Build.usual)
    func healthy(_ build: SwiftProgram.Build) throws {
        let folder = try TemporaryFolder()
        let run = try Self.record(Self.user(build), ["healthy", try Self.data(in: folder)])
        #expect(run.files.neverClosed.map(\.count).sorted() == [1, 20, 40])
        #expect(run.report.findings.isEmpty)
    }

    @Test func `a program that links the recorder is refused before it runs`() throws {
        let result = try Command.run(Products.gameprof, ["files", "--", Products.animatedGame.path, "5"])
        #expect(result.status == 3 && result.output.isEmpty)
        #expect(result.error.contains("build it without --traits Profiling"), "\(result.error)")
    }

    @Test("Foundation's file handle is counted like plain calls", arguments: SwiftProgram.Build.usual)
    func handle(_ build: SwiftProgram.Build) throws {
        let folder = try TemporaryFolder()
        let path = try Self.data(in: folder)
        let run = try Self.record(Self.user(build), ["read", path])
        let row = try #require(run.file(path))
        #expect(row.opened == 2 && row.closed == 2 && row.bytesRead == 20_000)
        #expect(run.files.byStack.contains { $0.stack.telling.contains { $0.function.hasPrefix("readByHandle") } })
        #expect(run.files.neverClosed.isEmpty)
    }

    @Test("a socket has its peer's name, and is opened and closed under it")
    func peers() throws {
        let folder = try TemporaryFolder()
        let (port, path) = (try Self.freePort(), folder.url.path + "/local")
        let run = try Self.record(CProgram.compile("Descriptors.c"), ["peers", "\(port)", path])
        func expect(_ name: String, opened: UInt64, failures: UInt64 = 0) throws {
            let row = try #require(run.file(name), "\(name) of \(run.files.byFile.map(\.name))")
            #expect(row.kind == .socket && row.opened == opened && row.closed == opened, "\(row)")
            #expect(row.failures == failures, "\(row)")
        }
        try expect("TCP socket", opened: 1)
        try expect("TCP socket to 127.0.0.1:\(port)", opened: 2)
        try expect("TCP socket to 127.0.0.1:1", opened: 1, failures: 1)
        try expect("accepted connection from 127.0.0.1", opened: 2)
        try expect("UDP socket", opened: 0)
        try expect("UDP socket to 127.0.0.1:9", opened: 1)
        try expect("Unix socket to \(path)", opened: 1, failures: 1)
        try expect("accepted connection", opened: 1)
        #expect(run.files.opened == run.files.closed && run.files.neverClosed.isEmpty)
        #expect(run.files.byStack.contains { $0.operation == .connect && $0.calls > 0 })
    }

    @Test("who else holds an end of a pipe or a socket is named where the descriptor is listed")
    func holders() throws {
        let run = try Self.record(CProgram.compile("Descriptors.c"), ["inherited"])
        let pipe = try #require(run.files.neverClosed.first { $0.kind == .pipe })
        #expect(pipe.heldBy?.map(\.name) == ["sleep"] && pipe.heldBy?.first?.end == .write, "\(pipe)")
        let socket = try #require(run.files.neverClosed.first { $0.kind == .socket })
        #expect(socket.heldBy?.map(\.name) == ["sleep"] && socket.heldBy?.first?.end == nil, "\(socket)")
        #expect(run.files.neverClosed.first { $0.kind == .event }?.heldBy == nil)
        #expect(run.result.error.contains(/the write end is held open by sleep \(pid \d+\)/), "\(run.result.error)")
    }

    private static func freePort() throws -> UInt16 {
        let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(file) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(file, $0, length) | getsockname(file, $0, &length)
            }
        }
        try #require(result == 0)
        return UInt16(bigEndian: address.sin_port)
    }

    @Test("a program that ran out of descriptors is told who has them")
    func exhausted() throws {
        let run = try Self.record(CProgram.compile("Descriptors.c"), ["exhaust"])
        #expect(run.files.exhausted == 1)
        let finding = try #require(run.report.findings.first)
        #expect(finding.kind == .descriptorLeak && finding.isAllocated(by: "exhaust"))
        #expect(finding.message.contains("could not open another one"))
    }

    @Test func `a descriptor that a system call closed past the C library is not open at the end`() throws {
        let run = try Self.record(CProgram.compile("Descriptors.c"), ["unseen"])
        #expect(run.files.opened == 20 && run.files.closed == 0)
        #expect(run.files.neverClosed.map(\.count) == [8], "\(run.files.neverClosed)")
        #expect(run.report.capture.notes.contains { $0.contains("by system calls of its own") && $0.contains(" 12. ") })
    }

    private static func user(_ build: SwiftProgram.Build) throws -> URL {
        try SwiftProgram.compile(script: "FileUser.swift", module: "FileUser", build: build)
    }

    /// A file of 10,000 bytes.
    private static func data(in folder: TemporaryFolder) throws -> String {
        let file = folder.url.appending(path: "numbers")
        try Data(repeating: 7, count: 10_000).write(to: file)
        return file.path
    }
}
