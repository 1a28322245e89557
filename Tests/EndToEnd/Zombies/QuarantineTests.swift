import Foundation
import Testing

/// What the quarantine keeps is told as what it was, whoever came at the same moment or later.
@Suite struct QuarantineTests {
    @Test(arguments: [["--quarantine", "blocks=64"], [], ["--guard=all"]])
    func `a block that two threads free at the same moment is freed twice, and nothing else`(
        options: [String]
    ) throws {
        let run = try ZombieRun.record(CProgram.compile("TwoFrees.c"), [], options: ["--continue"] + options)
        #expect(Set(run.findings.map(\.access?.operation)) == ["free"])
        #expect(run.findings.reduce(0) { $0 + $1.count } == Int(run.output.trimmingCharacters(in: .newlines)))
    }

    /// The weak reference keeps the side table that let the program go on.
    @Test func `a weak reference to a dead object is not told as one to an object that dies later`() throws {
        let program = try ZombieMatrixTests.Build.onone.executable()
        let run = try ZombieRun.record(
            program, ["weak-reference-kept"], options: ["--continue", "--quarantine", "blocks=2000"])
        #expect(run.output.hasSuffix("done\n"), "\(run.error)")
        #expect(!run.findings.isEmpty)
        #expect(run.findings.allSatisfy { $0.type.contains("Board") }, "\(run.findings.map(\.type))")
    }
}
