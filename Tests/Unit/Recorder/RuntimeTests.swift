import Foundation
import Testing

/// What the recorder recognises of the Swift runtime.
@Suite struct RuntimeTests {
    @Test("no word that is not a Swift object's is taken for one, and none makes the test of it fault")
    func words() throws {
        let text = try RuntimeBuild.shared.get().output(of: "Words.c", compiledBy: ["clang", "-O1", "-D_GNU_SOURCE"])
        #expect(text == "0\n")
    }

    @Test("the runtime of this toolchain passes the self-check")
    func selfCheck() throws {
        let text = try RuntimeBuild.shared.get().output(of: "Check.swift", compiledBy: ["swiftc"])
        #expect(text == "as expected\n")
    }
}
