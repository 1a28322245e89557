import Foundation
import Testing

/// Real programs whose every malloc compares our stacks with libunwind's.
@Suite(.serialized) struct UnwindTests {
    let build: UnwindBuild

    init() throws {
        build = try UnwindBuild.shared.get()
    }

    @Test(arguments: [
        ["clang++", "-O2", "-fomit-frame-pointer"],
        ["clang++", "-O0", "-fno-omit-frame-pointer"],
    ])
    func stacksOfCPlusPlusEqualThoseOfLibunwind(compiler: [String]) throws {
        let program = try build.compile(compiler + ["-std=c++17"], "Stacks.cpp")
        let outcome = try build.compare(program)
        #expect(outcome.counts["different"] == 0, "\(outcome.text)")
        #expect(outcome.counts["lost"] == 0)
        #expect(outcome.counts["compared"] ?? 0 > 1000, "\(outcome.text)")
        #expect(outcome.counts["deepest"] ?? 0 > 700, "\(outcome.text)")
        #expect(outcome.counts["gone"] ?? 0 >= 30, "\(outcome.text)")
    }

    @Test func hookedFunctionsCanBeUnwoundTo() throws {
        #expect(try build.unwindHooks() == "")
    }

    @Test(arguments: [["swiftc", "-O"], ["swiftc", "-Onone"], ["swiftc", "-O", "-static-stdlib"]])
    func stacksOfSwiftEqualThoseOfLibunwind(compiler: [String]) throws {
        let program = try build.compile(compiler, "Stacks.swift")
        let outcome = try build.compare(program)
        #expect(outcome.counts["different"] == 0, "\(outcome.text)")
        #expect(outcome.counts["compared"] ?? 0 > 5000, "\(outcome.text)")
        #expect(outcome.counts["deepest"] ?? 0 > 300, "\(outcome.text)")
    }

    /// The runtime has thousands of functions that cannot throw and therefore have no call frame information.
    @Test func theCallerIsThereAtEachInstructionOfAFunctionWithoutInformation() throws {
        let outcome = try build.run(build.compileWithUnwinder("Steps.c"))
        #expect(outcome.counts["different"] == 0, "\(outcome.text)")
        #expect(outcome.counts["compared"] ?? 0 > 30, "\(outcome.text)")
    }
}
