import Foundation
import Testing

/// A Swift runtime that is laid out differently is refused, not misread.
@Suite struct RuntimeMismatchTests {
    @Test(arguments: ["leaks", "zombies"])
    func `another runtime is refused in one sentence and the program runs all the same`(_ command: String) throws {
        let folder = try TemporaryFolder()
        let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Programs/OtherRuntime.c")
        let program = folder.url.appending(path: "other")
        let compiled = try Command.run(
            URL(filePath: "/usr/bin/env"), ["clang", "-O1", "-rdynamic", source.path, "-o", program.path])
        try #require(compiled.status == 0, "\(compiled.error)")
        let result = try Command.run(
            Products.gameprof, [command, "--json", folder.url.appending(path: "r.json").path, "--", program.path])
        #expect(result.status == 4)
        #expect(result.output == "runs all the same\n")
        #expect(result.error.contains("The class metadata of this Swift runtime is laid out differently"))
    }

    @Test func `allocations of such a program are counted, and the report says what it lacks`() throws {
        let folder = try TemporaryFolder()
        let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Programs/OtherRuntime.c")
        let program = folder.url.appending(path: "other")
        let compiled = try Command.run(
            URL(filePath: "/usr/bin/env"), ["clang", "-O1", "-rdynamic", source.path, "-o", program.path])
        try #require(compiled.status == 0, "\(compiled.error)")
        let json = folder.url.appending(path: "r.json")
        let result = try Command.run(Products.gameprof, ["allocations", "--json", json.path, "--", program.path])
        #expect(result.status == 0, "\(result.error)")
        #expect(try String(contentsOf: json, encoding: .utf8).contains("laid out differently"))
    }

    /// Limits under which the recorder gets room for everything else.
    @Test func `a runtime is not taken for another one where its objects could not be stored`() throws {
        let program = try ZombieMatrixTests.Build.optimised.executable()
        let bare = try Command.run(program, ["healthy"])
        for limit in stride(from: 60_000, through: 120_000, by: 4000) {
            let folder = try TemporaryFolder()
            let result = try Command.run(
                Products.gameprof,
                [
                    "leaks", "--text", "--", "sh", "-c", "ulimit -v \(limit); exec \"$0\" healthy", program.path,
                ], directory: folder.url)
            let said = result.output + result.error
            #expect(result.output.hasPrefix(bare.output), "\(limit): \(said)")
            #expect(result.status == 4, "\(limit): \(said)")
            #expect(
                said.contains("There is no conclusion about leaks: ") || said.contains("Nothing was recorded. "),
                "\(limit): \(said)")
            #expect(!said.contains("laid out differently"), "\(limit): \(said)")
        }
    }
}
