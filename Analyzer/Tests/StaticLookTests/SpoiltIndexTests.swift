import Foundation
import StaticFindingModel
import StaticLook
import Testing

/// Indexes that are older than the sources, damaged, of another version, or absent.
struct SpoiltIndexTests {
    private static let core = "public final class Engine { public var onTick: (() -> Void)?; public init() {} }"
    private static let app = """
        import Core
        final class Game {
            let engine = Engine()
            func start() { engine.onTick = { self.start() } }
        }
        """

    private static func modules() throws -> IndexedModules {
        try IndexedModules(core: ["Engine.swift": core], app: ["Game.swift": app])
    }

    private static func touch(_ path: String) throws {
        let later = Date(timeIntervalSinceNow: 60)
        try FileManager.default.setAttributes([.modificationDate: later], ofItemAtPath: path)
    }

    private static func files(below folder: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return names.map { "\(folder)/\($0)" }.filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
        }.sorted()
    }

    @Test(arguments: [("App", "Game.swift"), ("Core", "Engine.swift")])
    func whatIsOlderThanTheSourceIsLeftOut(module: String, file: String) throws {
        let modules = try Self.modules()
        #expect(try modules.look().suspects.map(\.confidence) == [.high])
        try Self.touch(modules.path(module, file))
        let list = try modules.look()
        #expect(list.suspects.map(\.confidence) == [.medium])
        #expect(list.index?.stale == [modules.path(module, file)])
        #expect(list.problems == [])
    }

    @Test func newBuildIsSeenDespiteTheCache() throws {
        let modules = try Self.modules()
        let cache = StaticFindingCache(folder: "\(modules.folder)/suspects")
        #expect(try modules.look(cache: cache).suspects.map(\.confidence) == [.high])
        #expect(try modules.look(cache: cache).cachedFiles == 1)
        let weak = Self.core.replacing(
            "public var onTick: (() -> Void)?",
            with: """
                public var onTick: (() -> Void)? { get { nil } set { newValue?() } }
                """)
        try weak.write(toFile: modules.path("Core", "Engine.swift"), atomically: true, encoding: .utf8)
        try modules.compile("Core")
        let list = try modules.look(cache: cache)
        #expect(list.suspects == [] && list.cachedFiles == 0)
        #expect(try modules.look(cache: cache).index?.declaring.count == 1)
    }

    @Test func damagedIndexLeavesTheSyntax() throws {
        let modules = try Self.modules()
        let files = Self.files(below: modules.store)
        #expect(files.count == 4)
        var generator = Seeded(state: 11)
        for round in 0..<60 {
            let path = files[round % files.count]
            let whole = try Data(contentsOf: URL(fileURLWithPath: path))
            var bytes = Array(whole)
            switch round / 4 % 3 {
            case 0: bytes.removeLast(Int.random(in: 1...bytes.count, using: &generator))
            case 1:
                for _ in 0..<20 {
                    bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
                }
            default:
                let start = Int.random(in: bytes.indices, using: &generator)
                for index in start..<min(start + 60, bytes.count) {
                    bytes[index] = .random(in: 0...255, using: &generator)
                }
            }
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            let list = try modules.look()
            #expect(list.suspects.map(\.rule) == ["stored-closure"], "round \(round)")
            #expect(list.problems.count <= 1, "\(list.problems)")
            try whole.write(to: URL(fileURLWithPath: path))
        }
    }

    @Test func emptyRecordIsSaidInOneSentence() throws {
        let modules = try Self.modules()
        for path in Self.files(below: "\(modules.store)/v5/records") {
            try Data().write(to: URL(fileURLWithPath: path))
        }
        let list = try modules.look()
        #expect(list.suspects.map(\.confidence) == [.medium])
        #expect(list.problems.count == 1 && list.problems[0].contains("cannot be read"), "\(list.problems)")
    }

    @Test func otherVersionIsSaidInOneSentence() throws {
        let modules = try Self.modules()
        try FileManager.default.moveItem(atPath: "\(modules.store)/v5", toPath: "\(modules.store)/v4")
        let list = try modules.look()
        #expect(list.suspects.map(\.confidence) == [.medium])
        #expect(list.problems.count == 1 && list.problems[0].contains("version 4"), "\(list.problems)")
    }

    @Test func indexOfThePackageAroundIsFound() throws {
        let modules = try Self.modules()
        #expect(try modules.look(.automatic).index == nil)
        try "".write(toFile: "\(modules.folder)/Package.swift", atomically: true, encoding: .utf8)
        let build = "\(modules.folder)/.build/x86_64-unknown-linux-gnu/debug/index"
        try FileManager.default.createDirectory(atPath: build, withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: modules.store, toPath: "\(build)/store")
        #expect(try modules.look(.automatic).suspects.map(\.confidence) == [.high])
    }
}

/// The same numbers in every run.
private struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }
}
