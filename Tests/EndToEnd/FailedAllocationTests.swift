import Foundation
import Testing

@testable import GameprofAnalysis

/// What a program does when it gets no memory.
@Suite struct FailedAllocationTests {
    private static func run(_ number: Int, _ program: [String], command: String = "leaks") throws -> (
        Report, CommandResult
    ) {
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "report.json")
        let result = try Command.run(
            Products.gameprof, [command, "--fail-allocation", "\(number)", "--json", json.path, "--"] + program)
        return (try Report(json: json), result)
    }

    @Test(arguments: ["leaks", "allocations", "zombies"])
    func `the chosen allocation of the program's own fails, and no other`(_ command: String) throws {
        let program = try CProgram.compile("ShortOfMemory.c").path
        for (number, name) in ["first", "second", "third", "fourth", "fifth"].enumerated() {
            let (report, result) = try Self.run(number + 1, [program], command: command)
            let lines = result.output.split(separator: "\n")
            #expect(lines.filter { !$0.hasSuffix(" made") } == ["\(name) no memory"], "\(result.output)")
            #expect(report.failedAllocation?.number == UInt64(number + 1) && report.target.exit?.code == 0)
        }
    }

    @Test func `the report names the stack and the signal that ended the program`() throws {
        let program = try CProgram.compile("ShortOfMemory.c").path
        let (report, result) = try Self.run(2, [program, "careless"])
        let failed = try #require(report.failedAllocation)
        #expect(failed.bytes == 4096 && report.target.exit?.signal == 11)
        #expect(failed.requestedBy.telling.map(\.function).prefix(2) == ["load", "main"])
        #expect(result.error.contains("Allocation 2 of the program's own (4.0 KB) was made to fail"), "\(result.error)")
        #expect(
            result.error.replacing("\n  ", with: " ").contains("the program was ended by signal 11"), "\(result.error)")
    }

    @Test func `a program that makes fewer allocations is left alone, and the report says how many it made`() throws {
        let program = try CProgram.compile("ShortOfMemory.c").path
        let (report, _) = try Self.run(99, [program])
        #expect(report.failedAllocation == nil)
        #expect(report.capture.notes.contains("No allocation was made to fail: the program's own code made only 5."))
    }

    @Test func `an allocation of Swift's runtime counts as that of the program that asks for it`() throws {
        let (report, _) = try Self.run(20, [Products.GameLabBuild.release.executable.path, "play", "--seed", "1"])
        let functions = try #require(report.failedAllocation).requestedBy.telling
        #expect(functions.first?.module.contains("gamelab") == true || functions.first?.origin == .user)
    }
}
