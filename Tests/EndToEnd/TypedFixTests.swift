import Foundation
import GameprofAnalysis
import Testing

/// A fix is what one can type: it says what compiles for the declaration, in whose code it stands, and when it is due.
@Suite struct TypedFixTests {
    private static func finding(_ argument: String, _ build: SwiftProgram.Build) throws -> Finding {
        let program = try SwiftProgram.compile(
            files: ["Common.swift", "TypedFixes.swift"], module: "TypedFixes", build: build)
        let errors = try RecordedReport.leaks(of: program, [argument]).report.errors
        try #require(errors.count == 1, "\(errors.map(\.message))")
        return errors[0]
    }

    /// A case, what its fix says and what it must not say.
    private static let expected: [(argument: String, says: String, never: String)] = [
        ("optional", "set Bell.strike to nil in Bell's code when the Bell", "clear"),
        ("collection", "empty Choir.voices in Choir's code when the Choir", "clear"),
        (
            "function",
            "set Horn.sound to a closure that does nothing in Horn's code when the Horn made at TypedFixes.swift:25 is",
            "nil"
        ),
        ("lazy", "make Letter.text a method instead of a lazy property", "clear"),
        ("locked", "[weak self]", "clear"),
        ("enumeration", "set Courier.state to another case in Courier's code", "clear"),
        (
            "existential",
            "make Gate.delegate weak (weak let delegate or weak var delegate) and its protocol class-only", "finish"
        ),
        ("structure", "make ScreenDelegate.screen weak (weak var screen)", "Band.delegate.screen"),
        ("retained", "balance the retain at TypedFixes.swift:127 with a release", "deinitialize"),
    ]

    @Test("a fix is one that can be typed", arguments: expected, SwiftProgram.Build.usual)
    func typed(_ expected: (argument: String, says: String, never: String), in build: SwiftProgram.Build) throws {
        let fix = try #require(try Self.finding(expected.argument, build).fix)
        #expect(fix.contains(expected.says) && !fix.contains(expected.never), "\(fix)")
        #expect(
            try FixCheck.unknown(in: fix, of: SwiftProgram.sources(["Common.swift", "TypedFixes.swift"])) == [],
            "\(fix)")
    }

    @Test("a knot lists all references of the user's objects, and names the call that freed others of its kind")
    func knot() throws {
        let finding = try Self.finding("knot", .usual[0])
        let knot = finding.references + (finding.knot ?? [])
        #expect(
            Set(knot.map(\.path)) == ["line", "channel", "head", "next", "previous"], "\(knot.map(\.path))")
        #expect(finding.message.contains("in one knot with 3 Channel and 3 Line"), "\(finding.message)")
        #expect(
            finding.fixCall == "or call Channel.close(), as serve(_:) did for other objects at TypedFixes.swift:121")
    }
}
