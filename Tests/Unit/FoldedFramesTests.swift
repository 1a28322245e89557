import Testing

@testable import GameprofAnalysis
@testable import GameprofReport

@Suite struct FoldedFramesTests {
    /// A row a letter, what is left out behind it in brackets.
    private func folded(_ functions: String) -> String {
        FoldedFrames.rows(functions.map { CallStack.Frame(function: String($0)) })
            .map { $0.frame.function + ($0.omitted.map { "[\($0)]" } ?? "") }.joined()
    }

    @Test func `a stack without rounds, or with two, is shown as it is`() {
        #expect(folded("") == "")
        #expect(folded("abc") == "abc")
        #expect(folded("aabab") == "aabab")
    }

    @Test func `a function that calls itself is shown once`() {
        #expect(folded("xaaab") == "xa[and this call 2 more times]b")
    }

    @Test func `functions that call each other are shown once, a broken round behind them`() {
        #expect(folded("abababac") == "ab[and these 2 calls 2 more times]ac")
        #expect(folded("abcdabcdabcd") == "abcd[and these 4 calls 2 more times]")
    }

    @Test func `of a stack that was cut the number of calls is a least one`() {
        let frames = "xaaab".map { CallStack.Frame(function: String($0)) }
        let omitted = FoldedFrames.rows(frames, isCut: true).compactMap(\.omitted)
        #expect(omitted == ["and this call at least 2 more times"])
    }

    @Test func `each recursion of a stack is folded by itself`() {
        #expect(folded("aaabbbb") == "a[and this call 2 more times]b[and this call 3 more times]")
    }
}
