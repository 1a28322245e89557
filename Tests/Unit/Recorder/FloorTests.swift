import Foundation
import Testing

@Suite("Floors of the recorder")
struct FloorTests {
    @Test("no floor includes a header or calls a function of one above it")
    func floors() throws {
        let objects = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let script = RecorderSources.package.appending(path: "Scripts/import-graph").path
        let text = try HeapProgram.text(of: ["python3", script, "--check", "--objects", objects.path])
        #expect(text.contains("floors of the recorder include and call only floors below"))
        #expect(!text.contains("(0 symbols)"))
    }
}
