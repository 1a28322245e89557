import Foundation
import Testing

/// Libraries and stacks that a program has no trouble with but an unwinder might: nothing of the program reads them.
@Suite struct DamagedImageTests {
    /// What a program does alone and what it does when it is recorded.
    static func expectSame(_ program: URL, _ arguments: [String], instrument: String) throws {
        let folder = try TemporaryFolder()
        let alone = try Command.run(program, arguments)
        let recorded = try Command.run(
            Products.gameprof, [instrument, "--quiet", "--propagate-exit", "--", program.path] + arguments,
            directory: folder.url)
        try #require(alone.status == 0, "\(alone.error)")
        #expect(recorded.status == 0, "\(recorded.error)")
        #expect(recorded.output == alone.output)
    }

    /// How a library lies in memory.
    enum Layout: String, CaseIterable, CustomStringConvertible {
        case near, withHoles

        var description: String { rawValue }

        var flags: [String] {
            switch self {
            case .near: ["-fuse-ld=lld"]
            case .withHoles: ["-fuse-ld=bfd", "-Wl,-z,separate-code,-z,max-page-size=0x10000"]
            }
        }
    }

    /// Loads `count` libraries with damage in their call frame information and headers, one after the other.
    static func expectSame(mutants count: Int, seed: Int, _ layout: Layout, instrument: String) throws {
        let host = try CProgram.compile("Mutants.c")
        let library = try CProgram.compile(
            "MutantLibrary.c", name: "mutant-\(layout).so",
            flags: ["-fPIC", "-shared", "-fomit-frame-pointer", "-Wl,--build-id"] + layout.flags)
        try expectSame(host, [library.path, String(seed), "0", String(count)], instrument: instrument)
    }

    @Test(arguments: Layout.allCases, ["leaks", "time"])
    func `damaged call frame information changes nothing for the program`(layout: Layout, instrument: String) throws {
        try Self.expectSame(mutants: 300, seed: 1, layout, instrument: instrument)
    }

    @Test(arguments: ["leaks", "time"])
    func `registers of a signal frame that is none are not believed`(instrument: String) throws {
        try Self.expectSame(CProgram.compile("ClaimedFrames.c"), ["signal"], instrument: instrument)
    }

    @Test(arguments: ["leaks", "time"])
    func `a stack behind a signal frame is not read again after it was unmapped`(instrument: String) throws {
        try Self.expectSame(CProgram.compile("ClaimedFrames.c"), ["stack"], instrument: instrument)
    }
}

/// The same with many more libraries: `make soak`.
@Suite(.enabled(if: LongTests.soak)) struct DamagedImageSoakTests {
    @Test(arguments: DamagedImageTests.Layout.allCases, ["leaks", "allocations", "zombies", "time"])
    func `damaged call frame information changes nothing for the program`(
        layout: DamagedImageTests.Layout, instrument: String
    ) throws {
        for seed in 1...3 {
            try DamagedImageTests.expectSame(mutants: 1_200, seed: seed, layout, instrument: instrument)
        }
    }
}
