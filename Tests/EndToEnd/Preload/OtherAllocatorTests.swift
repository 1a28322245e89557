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

    /// Kind, id, title, count and where it was made.
    private static func findings(_ fault: String, _ options: [String], preload: String?) throws -> [[String]] {
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "r.json")
        let result = try Command.run(
            Products.gameprof,
            [
                "leaks", "--quiet", "--json", json.path, "--", Products.GameLabBuild.release.executable.path, "fault",
                fault,
            ]
                + options, environment: ["LD_PRELOAD": preload])
        #expect(result.status < 2, "\(result.error)")
        return try Report(json: json).findings.filter { $0.severity == .error }.map {
            [$0.kind.rawValue, $0.signature, $0.title, "\($0.count)", $0.allocatedBy?.maker ?? ""]
        }.sorted { $0[1] < $1[1] }
    }

    @Test("leaks in another malloc's heap are those in glibc's", arguments: libraries)
    func sameLeaks(library: String) throws {
        let faults = [
            "undo-cycle", "delegate-cycle", "observer-cycle", "timer-cycle", "tree-cycle", "malloc-leak",
            "sensor-cycle",
        ]
        for fault in faults {
            for options in [[], ["--cured"]] {
                let found = try Self.findings(fault, options, preload: library)
                #expect(try found == Self.findings(fault, options, preload: nil), "\(fault) \(options)")
                #expect(found.isEmpty != options.isEmpty, "\(fault) \(options)")
            }
        }
    }

    @Test("a graph of another malloc's heap has the same objects and holders", arguments: libraries)
    func sameGraph(library: String) throws {
        func rows(_ preload: String?) throws -> [String] {
            let folder = try TemporaryFolder()
            let json = folder.url.appending(path: "r.json")
            let result = try Command.run(
                Products.gameprof,
                ["heap", "--quiet", "--json", json.path, "--", Products.GameLabBuild.release.executable.path]
                    + ["fault", "card-cache", "--presses", "100"], environment: ["LD_PRELOAD": preload])
            #expect(result.status < 2, "\(result.error)")
            let heap = try #require(try Report(json: json).liveHeap)
            return heap.types.filter { $0.type.contains("Gam") }.map { "\($0.type) \($0.count)" }.sorted()
        }
        #expect(try rows(library) == rows(nil))
    }

    @Test(arguments: libraries)
    func `allocations and zombies of a preloaded malloc are recorded`(library: String) throws {
        let program = try CProgram.compile("Successors.c", name: "successors")
        for instrument in ["allocations", "leaks", "zombies"] {
            // It loses blocks, which are told.
            let result = try record(instrument, program, preload: library)
            #expect(result.status == (instrument == "leaks" ? 1 : 0), "\(result.error)")
        }
    }

    /// A malloc of that name stands in for it.
    @Test func `a program linked with jemalloc is recorded, and its leaks are found`() throws {
        let library = try CProgram.compile(
            "OtherMalloc.c", name: "libjemalloc.so.2", flags: ["-shared", "-fPIC", "-DLIBRARY"])
        let linked = try CProgram.compile(
            "Successors.c", name: "linkedmalloc",
            flags: [library.path, "-Wl,--no-as-needed", "-Wl,-rpath,\(library.deletingLastPathComponent().path)"])
        #expect(try record("leaks", linked).status == 1)
        for instrument in ["allocations", "time", "zombies", "files"] {
            #expect(try record(instrument, linked).status == 0, "\(instrument)")
        }
    }

    /// Built with a table of exported functions and without one.
    @Test(
        "a program that calls an allocator's own functions is recorded but for its leaks",
        arguments: [[], ["-rdynamic"]])
    func ownInterface(flags: [String]) throws {
        let library = try CProgram.compile(
            "OtherMalloc.c", name: "libjemalloc.so.2", flags: ["-shared", "-fPIC", "-DLIBRARY"])
        let program = try CProgram.compile(
            "OwnInterface.c", name: "owninterface\(flags.count)",
            flags: flags + [library.path, "-Wl,-rpath,\(library.deletingLastPathComponent().path)"])
        let leaks = try record("leaks", program)
        #expect(leaks.status == 4 && leaks.output == "runs\n", "\(leaks)")
        #expect(
            leaks.error.contains("another malloc than those of glibc, jemalloc, mimalloc and tcmalloc"),
            "\(leaks.error)")
        #expect(try record("allocations", program).status == 0)
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
