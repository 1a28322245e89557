import Foundation
import Testing

/// What the decoders say about live objects. The expected text stands beside each program; the environment variable
/// GAMEPROF_RECORD_EXPECTED writes it anew and makes the test fail.
@Suite struct RuntimeTests {
    static let compilers = [
        ["swiftc", "-Onone", "-module-name", "Game"],
        ["swiftc", "-O", "-module-name", "Game"],
        ["swiftc", "-Onone", "-static-stdlib", "-Xlinker", "-s", "-module-name", "Game"],
    ]

    @Test("objects hold what their source says", arguments: ["Shapes", "Enums"], compilers)
    func references(program: String, compiler: [String]) throws {
        let build = try RuntimeBuild.shared.get()
        let text = try build.output(of: "\(program).swift", compiledBy: compiler)
        let file = build.programs.appending(path: "\(program).txt")
        if ProcessInfo.processInfo.environment["GAMEPROF_RECORD_EXPECTED"] != nil {
            try Data(text.utf8).write(to: file)
            Issue.record("\(file.lastPathComponent) was recorded anew")
        }
        let expected = try String(contentsOf: file, encoding: .utf8)
        let difference = text.split(separator: "\n").difference(from: expected.split(separator: "\n"))
        #expect(difference.isEmpty)
    }

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
