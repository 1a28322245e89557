import Foundation
import StaticLook
import Testing

struct CacheTests {
    @Test func unchangedFilesAreNotReadAgain() throws {
        let sample = try Sample(["A.swift": Sample.owner("handler = { self.count += 1 }")])
        let cache = StaticFindingCache(folder: NSTemporaryDirectory() + "gameprof-cache-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(atPath: cache.folder) }
        let first = try sample.look(cache: cache)
        let second = try sample.look(cache: cache)
        #expect(first.cachedFiles == 0 && second.cachedFiles == 1)
        #expect(first.suspects == second.suspects && !first.suspects.isEmpty)
    }

    @Test func aChangeIsSeen() throws {
        let sample = try Sample(["A.swift": Sample.owner("handler = { self.count += 1 }")])
        let cache = StaticFindingCache(folder: NSTemporaryDirectory() + "gameprof-cache-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(atPath: cache.folder) }
        _ = try sample.look(cache: cache)
        let corrected = Sample.owner("handler = { [weak self] in self?.count += 1 }")
        try corrected.write(toFile: sample.path("A.swift"), atomically: true, encoding: .utf8)
        let second = try sample.look(cache: cache)
        #expect(second.cachedFiles == 0 && second.suspects.isEmpty)
    }
}
