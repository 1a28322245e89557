import Foundation
import Testing

@testable import GameprofAnalysis

/// Programs on another malloc than glibc's are recorded, or refused in one sentence; they run all the same.
@Suite struct OtherAllocatorTests {
    private func record(_ instrument: String, _ program: URL, preload: String? = nil) throws -> CommandResult {
        let folder = try TemporaryFolder()
        return try Command.run(
            Products.gameprof,
            [instrument, "--quiet", "--json", folder.url.appending(path: "r.json").path, "--", program.path],
            environment: ["LD_PRELOAD": preload])
    }

    @Test(arguments: ["leaks", "allocations", "zombies", "time"])
    func aMallocInTheProgramIsRefused(instrument: String) throws {
        let result = try record(instrument, try CProgram.compile("OtherMalloc.c", name: "othermalloc"))
        #expect(result.status == 4)
        #expect(result.output == "runs\n")
        #expect(
            result.error
                == "gameprof: Nothing was recorded. The program contains a malloc of its own, which takes the place of the "
                + "recorder's: link that malloc as a shared library.\n")
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
        #expect(leaks.status == 3 && leaks.output.isEmpty, "it is refused before it runs")
        #expect(leaks.error.contains("allocations, time, zombies and files can record this program."))
        #expect(try record("zombies", program, preload: library).status == 0)
    }

    /// A malloc of that name stands in for it.
    @Test func `a program linked with jemalloc is refused before it runs, and told what works`() throws {
        let library = try CProgram.compile(
            "OtherMalloc.c", name: "libjemalloc.so.2", flags: ["-shared", "-fPIC", "-DLIBRARY"])
        let linked = try CProgram.compile(
            "Successors.c", name: "linkedmalloc",
            flags: [library.path, "-Wl,--no-as-needed", "-Wl,-rpath,\(library.deletingLastPathComponent().path)"])
        let plain = try CProgram.compile("Successors.c", name: "successors")
        // The tool is loaded behind it too.
        let harmless = try CProgram.compile(
            "SizedFrees.c", name: "libjemalloc.so.1", flags: ["-shared", "-fPIC", "-DSTAND_IN"])
        for instrument in ["leaks", "heap"] {
            for (program, preload) in [(linked, nil), (plain, harmless.path)] {
                let result = try record(instrument, program, preload: preload)
                #expect(result.status == 3 && result.output.isEmpty, "\(result.error)")
                #expect(
                    result.error
                        == "gameprof: \(program.path) uses jemalloc, but leaks can be searched for only in the heap of "
                        + "glibc's malloc. gameprof allocations, time, zombies and files can record this program.\n")
            }
        }
        for instrument in ["allocations", "time", "zombies", "files"] {
            #expect(try record(instrument, linked).status == 0, "\(instrument)")
        }
        #expect(try record("leaks", plain, preload: "/nowhere/libjemalloc.so.2").status != 3)
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

    /// A newer C library has them, a library stands in for it, nobody does, or functions of these names do something else.
    @Test(arguments: [("LIBC", 100), ("STAND_IN", 100), (nil, 100), ("OWN", 0)])
    func `what free_sized and free_aligned_sized free is freed`(way: (library: String?, frees: UInt64)) throws {
        let program = try CProgram.compile("SizedFrees.c")
        // The C library's own functions are told by the name of its file.
        let library = try way.library.map {
            try CProgram.compile(
                "SizedFrees.c", name: "\($0)\($0 == "LIBC" ? "libc" : "").so", flags: ["-shared", "-fPIC", "-D\($0)"])
        }
        let alone = try Command.run(program, environment: ["LD_PRELOAD": library?.path])
        #expect(alone.output == "\(100 - way.frees)\n")
        let folder = try TemporaryFolder()
        let leaks = try Command.run(
            Products.gameprof, ["leaks", "--quiet", "--json", "r.json", "--", program.path],
            environment: ["LD_PRELOAD": library?.path], directory: folder.url)
        #expect(leaks.output == alone.output && leaks.status == (way.frees > 0 ? 0 : 1), "\(leaks.error)")
        let report = try Report(json: folder.url.appending(path: "r.json"))
        #expect(report.allocations?.totals.frees == way.frees)
        let guarded = try Command.run(
            Products.gameprof,
            ["zombies", "--guard=all", "--quiet", "--propagate-exit", "--json", "z.json", "--", program.path],
            environment: ["LD_PRELOAD": library?.path], directory: folder.url)
        #expect(guarded.output == alone.output && guarded.status == 0, "\(guarded.error)")
    }
}
