import Foundation
import Testing

/// The decoders of the recorder and of the tool on types that a generator made up. GAMEPROF_TYPE_SEEDS=10-20 tries these seeds.
@Suite struct GeneratedTypesTests {
    private static let seeds: [UInt64] = {
        let text = ProcessInfo.processInfo.environment["GAMEPROF_TYPE_SEEDS"] ?? "105-106"
        let ends = text.split(separator: "-").compactMap { UInt64($0) }
        return ends.count == 2 && ends[0] <= ends[1] ? Array(ends[0]...ends[1]) : []
    }()

    @Test(arguments: seeds, ["-Onone", "-O"])
    func `objects hold what a generated source says`(seed: UInt64, build: String) throws {
        let runtime = try RuntimeBuild.shared.get()
        let generator = TypeGenerator(seed: seed)
        let folder = runtime.folder.appending(path: "generated-\(seed)\(build)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (source, program) = (folder.appending(path: "main.swift"), folder.appending(path: "Game"))
        try Data(generator.program(holders: 20).utf8).write(to: source)
        try RuntimeBuild.run([
            "swiftc", build, "-suppress-warnings", "-module-name", "Game", source.path, "-o", program.path,
        ])
        let heap = try GeneratedHeap(of: program, under: runtime.folder.appending(path: "dump.so"))
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
}
