import Foundation
import StaticLook
import Testing

struct MalformedSourceTests {
    @Test(arguments: [
        "", "{", "}}}}", "class", "class A { func", "let x = { [weak", "\u{0}\u{1}\u{2}", "\"\\(", "#if X\nclass A {",
        "func f() { self.a = { self", "enum E { case a(", "var x: [String: ", "🙂🙂 class 🙂 { 🙂 }", "/* never ends",
    ])
    func anyTextIsRead(_ text: String) throws {
        let list = try Sample(["A.swift": text, "B.swift": Sample.owner("handler = { self.count += 1 }")]).look()
        #expect(list.suspects.contains { $0.file.hasSuffix("B.swift") })
    }

    @Test func everyPrefixOfAFileIsRead() throws {
        let text = Array(Sample.owner("handler = { [weak self] in self?.count += \"\\(count)\".count }").utf8)
        for end in stride(from: 0, to: text.count, by: 7) {
            _ = try Sample(["A.swift": String(decoding: text[..<end], as: UTF8.self)]).look()
        }
    }

    @Test(arguments: ["(", "[", "{", "f(", "{ a in ", "!", "if x { ", "class A { "])
    func deepNestingEndsInASentence(_ open: String) throws {
        let deep = "let x = " + String(repeating: open, count: 20_000)
        let list = try Sample(["A.swift": deep, "B.swift": Sample.owner("handler = { self.count += 1 }")]).look()
        #expect(list.files == 2)
        #expect(list.suspects.contains { $0.file.hasSuffix("B.swift") })
    }

    /// The parser looks ahead behind each of these without a limit.
    @Test(arguments: ["try ", "await ", "if ", "if case ", "if let a = ", "a < ", "a.b<", "lazy ", "weak\n", "a = "])
    func longRowsOfOpeningsEndInASentence(_ word: String) throws {
        let row = "let x = " + String(repeating: word, count: 20_000) + "a"
        let list = try Sample(["A.swift": row, "B.swift": Sample.owner("handler = { self.count += 1 }")]).look()
        #expect(list.problems.contains { $0.contains("nested too deeply") })
        #expect(list.suspects.contains { $0.file.hasSuffix("B.swift") })
    }

    @Test(arguments: ["A<", "A -> ", "repeat each "])
    func longRowsOfTypesEndInASentence(_ word: String) throws {
        let list = try Sample(["A.swift": "let x: " + String(repeating: word, count: 20_000) + "A"]).look()
        #expect(list.problems.contains { $0.contains("nested too deeply") })
    }

    /// Many of the same, one behind the other, are no nesting.
    @Test(arguments: [
        "try a()\n", "if a < b { c() }\n", "let a = b < c\n", "func a() -> B { c }\n", "lazy var a = 1\n",
        "a = b << 2\n",
        "#if A\n#endif\n", "guard let a else { return }\n", "/// if it can try to wait\nawait a()\n",
    ])
    func longFilesAreReadWhole(_ line: String) throws {
        let body = "func f() {\n" + String(repeating: line, count: 3_000) + "}\n"
        let list = try Sample(["A.swift": body]).look()
        #expect(list.files == 1 && list.problems.isEmpty, "\(list.problems)")
    }

    @Test func longChainsAreCutShort() throws {
        let chain = "let x = a" + String(repeating: ".b()", count: 20_000)
        let list = try Sample(["A.swift": chain]).look()
        #expect(list.problems.contains { $0.contains("nested too deeply") })
    }

    @Test func longRowsOfOperatorsAreRead() throws {
        let list = try Sample(["A.swift": "let x = 1" + String(repeating: " + 1", count: 20_000)]).look()
        #expect(list.files == 1 && list.problems.isEmpty)
    }

    @Test func enormousFilesArePassedOver() throws {
        let line = "let aVeryLongNameForANumber = 1\n"
        let list = try Sample(["A.swift": String(repeating: line, count: 150_000)]).look()
        #expect(list.files == 0)
        #expect(list.problems.count == 1)
    }

    /// Root may read everything.
    @Test(.enabled(if: geteuid() != 0)) func whatCannotBeReadIsNotPassedOverInSilence() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "gameprof-\(UUID().uuidString)")
        let closed = folder.appending(path: "closed")
        try FileManager.default.createDirectory(at: closed, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: closed.path)
        #expect(try Analyzer().analyze([folder.path]).problems == ["\(closed.path) cannot be read."])
        #expect(throws: AnalyzerError.self) { try Analyzer().analyze([closed.path]) }
    }

    @Test func whatIsNotThereIsAnError() {
        #expect(throws: AnalyzerError.self) { try Analyzer().analyze(["/nonexistent/folder"]) }
    }
}
