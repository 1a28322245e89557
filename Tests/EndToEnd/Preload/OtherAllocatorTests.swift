import Foundation
import Testing

/// Programs on another malloc than glibc's are recorded, or refused in one sentence; they run all the same.
@Suite struct OtherAllocatorTests {
    private func record(_ instrument: String, _ program: URL, preload: String? = nil) throws -> CommandResult {
        let folder = try TemporaryFolder()
        return try Command.run(
            Products.gameprof,
            [instrument, "--quiet", "--json", folder.url.appending(path: "r.json").path, "--", program.path],
            environment: ["LD_PRELOAD": preload])
    }

    @Test(arguments: ["leaks", "allocations", "zombies"])
    func aMallocInTheProgramIsRefused(instrument: String) throws {
        let result = try record(instrument, try CProgram.compile("OtherMalloc.c", name: "othermalloc"))
        #expect(result.status == 4)
        #expect(result.output == "runs\n")
        #expect(
            result.error == "gameprof: Nothing was recorded. The program brings its own malloc: its allocations cannot "
                + "be recorded.\n")
    }

    /// Debian's jemalloc, mimalloc and tcmalloc, where they are installed.
    static let libraries = ["libjemalloc.so.2", "libmimalloc.so.2", "libtcmalloc_minimal.so.4"]
        .map { "/usr/lib/x86_64-linux-gnu/\($0)" }.filter { FileManager.default.fileExists(atPath: $0) }

    @Test(arguments: libraries)
    func allocationsOfAPreloadedMallocAreCountedAndItsLeaksRefused(library: String) throws {
        let program = try CProgram.compile("Successors.c", name: "successors")
        let counted = try record("allocations", program, preload: library)
        #expect(counted.status == 0, "\(counted.error)")
        let leaks = try record("leaks", program, preload: library)
        #expect(leaks.status == 4)
        #expect(leaks.error.contains("Nothing was recorded. The program uses another malloc than glibc's"))
        #expect(try record("zombies", program, preload: library).status == 0)
    }

    @Test("the words in front of another malloc's blocks are not taken for glibc's")
    func foreignWords() throws {
        let library = try CProgram.compile(
            "OtherMalloc.c", name: "libother.so", flags: ["-shared", "-fPIC", "-DLIBRARY"])
        let program = try CProgram.compile("Endings.c", name: "endings")
        let folder = try TemporaryFolder()
        let trace = folder.url.appending(path: "t.gptrace").path
        let result = try Command.run(
            Products.gameprof,
            [
                "record", "--quiet", "--instruments", "allocations", "-o", trace, "--", "/usr/bin/env",
                "LD_PRELOAD=\(library.path)", program.path,
            ])
        #expect(result.status == 0, "\(result.error)")
        let dump = try Command.run(Products.gameprof, ["dump", trace]).output
        #expect(dump.contains("alloc how=malloc") || dump.contains("temporary how=malloc"))
        #expect(!dump.contains("heap-begin"))
    }
}
