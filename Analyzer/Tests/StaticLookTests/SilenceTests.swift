import Testing

struct SilenceTests {
    private static let closure = "handler = { self.count += 1 }"

    @Test func commentOnTheLineGivesTheReason() throws {
        let text = Sample.owner("\(Self.closure)  // gameprof:ignore the owner lives for ever")
        let suspects = try Sample(["A.swift": text]).look().suspects
        #expect(suspects.map(\.ignored) == ["the owner lives for ever"])
    }

    @Test func commentAboveSilencesTheNextLineAlone() throws {
        let text = Sample.owner("// gameprof:ignore known\n        \(Self.closure)\n        \(Self.closure)")
        let suspects = try Sample(["A.swift": text]).look().suspects
        #expect(suspects.map(\.ignored) == ["known", nil])
    }

    @Test func textOutsideOfCommentsSilencesNothing() throws {
        let text = Sample.owner("\(Self.closure); print(\"gameprof:ignore\")")
        #expect(try Sample(["A.swift": text]).look().suspects.map(\.ignored) == [nil])
    }
}
