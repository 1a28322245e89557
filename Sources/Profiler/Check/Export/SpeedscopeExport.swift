import Foundation
import GameprofAnalysis

/// The file format of speedscope: shared frames, and a list of weighted stacks for each thread.
enum SpeedscopeExport {
    static func render(_ profile: Profile) throws -> Data {
        try ExportJSON.encode(file(profile))
    }

    private struct File: Encodable {
        var schema = "https://www.speedscope.app/file-format-schema.json"
        var exporter = "gameprof"
        var name: String
        var activeProfileIndex = 0
        var shared: Shared
        var profiles: [Sampled]

        enum CodingKeys: String, CodingKey {
            case schema = "$schema"
            case exporter, name, activeProfileIndex, shared, profiles
        }
    }

    private struct Shared: Encodable {
        var frames: [Frame]
    }

    private struct Frame: Encodable {
        var name: String
        var file: String?
        var line: Int?
    }

    private struct Sampled: Encodable {
        var type = "sampled"
        var name: String
        var unit: String
        var startValue: UInt64 = 0
        var endValue: UInt64 = 0
        var samples: [[Int]] = []
        var weights: [UInt64] = []
    }

    private static func file(_ profile: Profile) -> File {
        let frames = profile.frames.map { frame in
            let function = profile.functions[frame.function.index]
            return Frame(name: function.name, file: function.file, line: frame.line)
        }
        let unit = profile.unit == .bytes ? "bytes" : "nanoseconds"
        var threads = profile.threads.map { Sampled(name: $0.name, unit: unit) }
        for sample in profile.samples {
            let stack = profile.path(from: sample.node).reversed().map { profile.nodes[$0.index].frame.index }
            threads[sample.thread].samples.append(stack)
            threads[sample.thread].weights.append(sample.weight)
            threads[sample.thread].endValue &+= sample.weight
        }
        return File(
            name: profile.title, shared: Shared(frames: frames), profiles: threads.filter { !$0.samples.isEmpty })
    }
}
