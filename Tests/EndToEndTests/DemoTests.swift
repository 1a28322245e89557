import Foundation
import Testing

/// `make demo`, as the README promises it.
@Suite struct DemoTests {
    @Test func `every scene of the demonstration shows what it is there to show`() throws {
        let folder = try TemporaryFolder()
        let result = try Command.run(Products.gameprof, ["demo", "--output", folder.url.path])
        #expect(result.status == 0, "\(result.error.suffix(500))")
        let pages = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(pages.contains("index.html") && pages.contains("undo-cycle.html") && pages.contains("card-cache.html"))
    }
}
