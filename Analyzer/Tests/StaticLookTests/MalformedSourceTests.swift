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

    @Test func whatIsNotThereIsAnError() {
        #expect(throws: AnalyzerError.self) { try Analyzer().analyze(["/nonexistent/folder"]) }
    }
}
