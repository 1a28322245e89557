import Foundation
import Testing

/// The decoder on types that a generator made up. GAMEPROF_TYPE_SEEDS=10-20 tries these seeds.
@Suite struct GeneratedTypesTests {
    private static let seeds: [UInt64] = {
        let text = ProcessInfo.processInfo.environment["GAMEPROF_TYPE_SEEDS"] ?? "105-106"
        let ends = text.split(separator: "-").compactMap { UInt64($0) }
        return ends.count == 2 && ends[0] <= ends[1] ? Array(ends[0]...ends[1]) : []
    }()

    @Test(arguments: seeds, ["-Onone", "-O"])
    func `objects hold what a generated source says`(seed: UInt64, build: String) async throws {
        let generator = TypeGenerator(seed: seed)
        let heap = try await GeneratedHeaps.shared.heap(generator.program(holders: 20), seed, build)
        #expect(heap.holders.count == generator.holders.count)
        #expect(heap.misplaced == [])
        var differences = heap.differences(generator.expectations)
        if generator.hasOpaque {
            // What cannot be read may be told with less certainty, but nothing may be left out or made up.
            differences.removeAll { $0.kind == .unsure || $0.kind == .loose }
        } else {
            #expect(heap.opaque.map { generator.types[$0] } == [])
        }
        #expect(differences.map(\.description) == [])
    }

    @Test(
        .enabled(if: MirrorAnswers.library != nil, "The toolchain has no libswiftRemoteMirror.so."), arguments: seeds,
        ["-Onone", "-O"])
    func `the reflection library finds the same references`(seed: UInt64, build: String) async throws {
        let generator = TypeGenerator(seed: seed)
        let heap = try await GeneratedHeaps.shared.heap(generator.program(holders: 20), seed, build)
        let mirror = try #require(heap.mirror)
        let chosen = Dictionary(uniqueKeysWithValues: heap.holders.map { ($0.value, generator.chosen[$0.key] ?? []) })
        let (differences, count) = mirror.differences(heap.answer, confirmed: heap.confirmed, chosen: chosen)
        #expect(differences == [] && count.references > 0 && count.cases > 0)
        // What the library cannot tell of packs, noncopyable types and the like, and where it is wrong, may not be much.
        #expect(count.compared * 100 >= count.references * (generator.hasOpaque ? 70 : 80), "\(count)")
        #expect(count.refuted * 4 <= count.cases, "\(count)")
        if !generator.hasOpaque { #expect(count.unsure == 0, "\(count)") }
    }
}

/// Programs of seeds, each made and looked at once.
private actor GeneratedHeaps {
    static let shared = GeneratedHeaps()

    private struct Key: Hashable {
        var seed: UInt64
        var build: String
    }

    private var heaps: [Key: Task<GeneratedHeap, any Error>] = [:]

    func heap(_ source: String, _ seed: UInt64, _ build: String) async throws -> GeneratedHeap {
        let key = Key(seed: seed, build: build)
        let task = heaps[key] ?? Task.detached { try Self.make(source, key) }
        heaps[key] = task
        return try await task.value
    }

    private static func make(_ source: String, _ key: Key) throws -> GeneratedHeap {
        let folder = try RuntimeBuild.shared.get().folder.appending(path: "generated-\(key.seed)\(key.build)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (file, program) = (folder.appending(path: "main.swift"), folder.appending(path: "Game"))
        try Data(source.utf8).write(to: file)
        try RuntimeBuild.run([
            "swiftc", key.build, "-suppress-warnings", "-module-name", "Game", file.path, "-o", program.path,
        ])
        return try GeneratedHeap(of: program)
    }
}
