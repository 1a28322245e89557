import Foundation
import Testing

/// Every kind of use of a dead object, without and with the optimiser, with a shared and a static standard library.
@Suite struct ZombieMatrixTests {
    struct Use: CustomStringConvertible, Sendable {
        var name: String
        /// The type that is named, without module.
        var type: String
        /// Words of which one stands in the operation or the member.
        var words: [String]

        var description: String { name }
    }

    static let board = [
        "method-call": ["method call"], "protocol-call": ["retain", "cast"], "retain": ["retain"],
        "release": ["retain", "release", "reference counting"], "weak-formation": ["retain", "weak"],
        "unowned-formation": ["retain", "unowned"], "uniqueness": ["retain", "uniqueness"], "cast": ["retain", "cast"],
        "type-of": ["retain", "cast"], "getter": ["Board.name.getter", "retain"],
        "collection-element": ["retain", "method call", "reference counting"],
        "array-element": ["retain", "method call"], "other-thread": ["method call"], "callback": ["method call"],
        "unsafe-unowned": ["retain", "method call"], "unowned-trap": ["unowned reference load"],
        "pinned-property": ["Board.cards"], "write-after-free": ["Board.width"],
        "scalar-write": ["Board.width"],
    ]
    static let player = [
        "string-property": ["Player.name"], "array-property": ["Player.items"],
        "dictionary-property": ["Player.results"], "reference-property": ["Player.board"],
        "closure-property": ["Player.action"], "property-append": ["Player.items"],
    ]
    static let others = [
        Use(name: "array-storage", type: "_ContiguousArrayStorage", words: ["retain", "property read"]),
        Use(name: "closure-context", type: "closure context", words: ["property read", "retain"]),
        Use(name: "generic-object", type: "Generic", words: ["type metadata", "Generic.element"]),
        Use(name: "managed-buffer", type: "ManagedBuffer", words: ["retain"]),
        Use(name: "error-box", type: "Error", words: ["retain"]),
        Use(name: "actor", type: "Counter", words: ["retain"]),
        Use(name: "double-free", type: "memory", words: ["free"]),
        Use(name: "realloc", type: "memory", words: ["realloc"]),
        Use(name: "raw-pointer", type: "memory", words: ["property read"]),
    ]
    static let uses =
        board.map { Use(name: $0.key, type: "Board", words: $0.value) }.sorted { $0.name < $1.name }
        + player.map { Use(name: $0.key, type: "Player", words: $0.value) }.sorted { $0.name < $1.name } + others

    enum Build: String, CaseIterable, Sendable {
        case onone, optimised, staticOnone, staticOptimised

        /// Those that differ in both; the other two are for `ZombieMatrixFieldTests`.
        static let usual: [Build] = [.onone, .staticOptimised]

        func executable(of program: String = "ZombieUses") throws -> URL {
            let isOptimised = self == .optimised || self == .staticOptimised
            let isStatic = self == .staticOnone || self == .staticOptimised
            return try SwiftProgram.compile(
                files: ["\(program).swift"], module: program, build: isOptimised ? .optimised : .onone,
                extraFlags: isStatic ? ["-static-stdlib"] : [])
        }
    }

    @Test(arguments: uses, Build.usual)
    func `the first use of a dead object is told`(_ use: Use, in build: Build) throws {
        try Self.isTold(use, in: build, options: [])
    }

    @Test(arguments: uses, Build.usual)
    func `the first use of a poisoned object is told`(_ use: Use, in build: Build) throws {
        try Self.isTold(use, in: build, options: ["--guard=none"])
    }

    fileprivate static func isTold(_ use: Use, in build: Build, options: [String]) throws {
        let run = try ZombieRun.record(build.executable(), [use.name], options: options)
        let finding = try #require(run.findings.first, "\(run.error)")
        #expect(finding.kind == .zombie)
        #expect(run.status == 1)
        #expect(finding.type.contains(use.type), "\(finding.type)")
        let access = "\(finding.access?.operation ?? "") \(finding.access?.member ?? "")"
        #expect(use.words.contains { access.contains($0) }, "\(access)")
        #expect(!(finding.allocatedBy?.frames.isEmpty ?? true))
        #expect(!(finding.deallocatedBy?.frames.isEmpty ?? true))
        let hasNoUser = finding.access?.operation == "write after deallocation"
        #expect(hasNoUser || !(finding.usedBy?.frames.isEmpty ?? true))
    }

    /// A plain number read from a poisoned object does not fault. A page of its own finds it, which the first objects have.
    @Test(arguments: Build.usual)
    func `a number read from a dead object is found on a page of its own`(in build: Build) throws {
        let poisoned = try ZombieRun.record(build.executable(), ["scalar-read"], options: ["--guard=none"])
        #expect(poisoned.findings.isEmpty)
        for options in [[], ["--guard=Board"], ["--guard=1/1"]] {
            let guarded = try ZombieRun.record(build.executable(), ["scalar-read"], options: options)
            #expect(guarded.findings.first?.access?.member == "Board.width", "\(options) \(guarded.error)")
        }
    }

    /// It has no page of its own while unowned references keep it, and another number would change the program.
    @Test(arguments: Build.usual)
    func `a number read from a dead object that unowned references keep is what it was`(in build: Build) throws {
        for options in [[], ["--guard=none"], ["--guard=all"]] {
            let run = try ZombieRun.record(build.executable(), ["pinned-number"], options: options)
            #expect(run.findings.isEmpty && run.output == "value 2\ndone\n", "\(options) \(run.output)")
        }
    }

    @Test(arguments: Build.usual, [[], ["--guard=none"], ["--guard=all"], ["--guard=1/3"], ["--continue"]])
    func `a healthy program is silent`(in build: Build, options: [String]) throws {
        let run = try ZombieRun.record(build.executable(), ["healthy"], options: options)
        #expect(run.findings.isEmpty)
        #expect(run.status == 0)
        #expect(run.output.hasSuffix("done\n"))
    }

    @Test func `a program can be kept going after the use`() throws {
        let run = try ZombieRun.record(Build.onone.executable(), ["method-call"], options: ["--continue"])
        #expect(!run.findings.isEmpty)
        #expect(run.output.hasSuffix("done\n"))
    }

    @Test func `a recording is reported upon later`() throws {
        let program = try Build.onone.executable()
        let folder = try TemporaryFolder()
        func gameprof(_ arguments: [String]) throws -> CommandResult {
            try Command.run(
                Products.gameprof, arguments, environment: ["SWIFT_BACKTRACE": "enable=no"], directory: folder.url)
        }
        let recorded = try gameprof([
            "record", "--instruments", "zombies,time", "--guard", "--output", "z.gptrace", "--", program.path,
            "method-call",
        ])
        #expect(recorded.status == 4, "a signal ended the program: \(recorded.error)")
        let report = try gameprof(["report", "z.gptrace", "--text", "--no-color"])
        #expect(report.status == 1)
        #expect(report.output.contains("Zombie: ") && report.output.contains(" deallocated Board"), "\(report.output)")
        #expect(report.output.contains("objects had pages of their own."))
        #expect(try gameprof(["record", "--instruments", "zombies,leaks", "--", program.path]).status == 2)
    }

    @Test func `where no dead object can be watched that is a failure`() throws {
        let program = try CProgram.compile("Sampling.c")
        let result = try Command.run(
            URL(filePath: "/bin/sh"),
            ["-c", "ulimit -v 300000; exec \"$0\" zombies --text -- \"$1\"", Products.gameprof.path, program.path])
        #expect(result.status == 4)
        #expect(result.output == "well\n")
        #expect(
            result.error.hasSuffix(
                "Nothing was recorded. The address space is limited (ulimit -v): there is no room for a quarantine.\n"))
    }

    /// The shell has more addresses than that already: its successor must be recorded all the same.
    @Test func `a program whose shell limits the address space is not passed over`() throws {
        let program = try CProgram.compile("Sampling.c")
        let result = try Command.run(
            Products.gameprof,
            ["zombies", "--text", "--", "sh", "-c", "ulimit -v 300000; exec \"$0\"", program.path])
        #expect(result.status == 4, "\(result.error)")
        #expect(result.output == "well\n")
    }

    @Test func `where the address space is limited zombies are found still, and a sentence says what is less`() throws {
        let program = try Build.onone.executable()
        let result = try Command.run(
            URL(filePath: "/bin/sh"),
            [
                "-c", "ulimit -v 3000000; exec \"$0\" zombies --text --no-color -- \"$1\" method-call",
                Products.gameprof.path, program.path,
            ], environment: ["SWIFT_BACKTRACE": "enable=no"])
        #expect(result.output.contains("method Board.flip() on a deallocated Board"), "\(result.error)")
        #expect(result.output.contains("The address space is limited (ulimit -v)"))
    }
}

/// The builds that `ZombieMatrixTests` leaves out.
@Suite(.enabled(if: LongTests.field)) struct ZombieMatrixFieldTests {
    @Test(
        arguments: ZombieMatrixTests.uses,
        [
            (ZombieMatrixTests.Build.optimised, []), (.optimised, ["--guard=none"]), (.staticOnone, []),
            (.staticOnone, ["--guard=none"]),
        ])
    func `the first use of a dead object is told`(
        _ use: ZombieMatrixTests.Use, _ way: (build: ZombieMatrixTests.Build, options: [String])
    ) throws {
        try ZombieMatrixTests.isTold(use, in: way.build, options: way.options)
    }
}
