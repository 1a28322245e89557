import Foundation
import StaticFindingModel
import Testing

struct CaptureEditTests {
    /// Closures whose edit must compile and leave nothing to suspect.
    @Test(arguments: [
        "handler = { self.count += 1 }",
        "handler = { self.count += 1; self.count -= 1 }",
        "handler = {\n            self.count += 1\n            print(self.count)\n        }",
        "handler = { () -> Void in self.count += 1 }",
        "let n = 1\n        handler = { [n] in self.count += n }",
        "handler = { print(self.step()) }",
        "handler = { let f = { [weak self] in self?.count = 0 }; f() }",
        "let closure: () -> Void = { self.count += 1 }\n        handler = closure",
        "handler = later { self.count += 1 }", "handler = {self.count += 1}", "handler = {/* once */self.count += 1}",
    ])
    func editedSourceCompilesAndHasNoFinding(_ closure: String) throws {
        let sample = try Sample(["A.swift": Sample.owner(closure)])
        let edits = try sample.look().suspects.compactMap(\.edit)
        try #require(edits.count == 1)
        let edited = Self.apply(edits[0], to: Array(Sample.owner(closure).utf8))
        try edited.write(toFile: sample.path("A.swift"), atomically: true, encoding: .utf8)
        #expect(try sample.look().suspects.isEmpty, "\(edited)")
        #expect(try Self.typechecks(sample.path("A.swift")), "\(edited)")
    }

    /// A capture list stands behind the attributes of a closure, and before all else.
    @Test(arguments: ["@Sendable in", "@Sendable () in", "@Sendable () -> Void in"])
    func theListStandsBehindAttributes(_ signature: String) throws {
        let text = """
            final class Owner: @unchecked Sendable {
                var handler: (@Sendable () -> Void)?
                var count = 0
                func start() { handler = { \(signature) self.count += 1 } }
            }
            """
        let sample = try Sample(["A.swift": text])
        let edit = try #require(try sample.look().suspects.first?.edit)
        let edited = Self.apply(edit, to: Array(text.utf8))
        #expect(edited.contains("{ @Sendable [weak self] "), "\(edited)")
        try edited.write(toFile: sample.path("A.swift"), atomically: true, encoding: .utf8)
        #expect(try Self.typechecks(sample.path("A.swift")), "\(edited)")
    }

    @Test func noEditWhereAValueMustBeReturned() throws {
        let text = """
            final class Owner {
                var handler: (() -> Int)?
                var count = 0
                func start() { handler = { self.count } }
            }
            """
        let suspects = try Sample(["A.swift": text]).look().suspects
        #expect(suspects.count == 1 && suspects[0].edit == nil)
    }

    /// Where the type of the closure is not what the property says, or more than its text captures `self`.
    @Test(arguments: [
        "let closure = { self.count += 1 }\n        handler = closure",
        "let closure = { self.count += 1 }\n        handler = { closure() }",
        "handler = counting { self.count }", "handler = counting { self.count += 1; return self.count }",
        "func add() { self.count += 1 }\n        handler = { add(); self.count = 0 }",
    ])
    func noEditWhereItWouldNotCompileOrNotMend(_ closure: String) throws {
        let sample = try Sample(["A.swift": Sample.owner(closure)])
        let suspects = try sample.look().suspects
        #expect(suspects.count == 1 && suspects[0].edit == nil, "\(suspects)")
        #expect(try Self.typechecks(sample.path("A.swift")))
    }

    private static func apply(_ edit: StaticFinding.Edit, to bytes: [UInt8]) -> String {
        var result = bytes
        for piece in edit.pieces.sorted(by: { $0.offset > $1.offset }) {
            result.replaceSubrange(piece.offset..<(piece.offset + piece.length), with: Array(piece.text.utf8))
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func typechecks(_ path: String) throws -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["swiftc", "-typecheck", "-swift-version", "6", path]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
