import Foundation
import GameprofAnalysis
import GameprofBasics

/// A profile of a recording in the format of pprof.
enum PprofExport {
    static func render(_ profile: Profile) -> Data {
        var writer = PprofWriter()
        let (count, weight) = valueTypes(of: profile)
        writer.write(count)
        writer.write(weight)
        writeSamples(of: profile, into: &writer)
        writeFunctions(of: profile, into: &writer)
        let summary = PprofWriter.Summary(
            unixNanoseconds: profile.startUnixNanoseconds, nanoseconds: profile.wall, periodType: weight,
            period: profile.period, comments: ["gameprof: \(profile.title)"] + profile.remarks, shown: weight.name)
        return Data(writer.finish(summary))
    }

    /// How many, and how much: the names that `go tool pprof` knows of heap profiles.
    static func valueTypes(
        of profile: Profile
    ) -> (count: PprofWriter.ValueType, weight: PprofWriter.ValueType) {
        let (count, weight, unit) =
            switch profile.unit {
            case .bytes where profile.isLive: ("inuse_objects", "inuse_space", "bytes")
            case .bytes: ("alloc_objects", "alloc_space", "bytes")
            case .nanoseconds: ("samples", "cpu", "nanoseconds")
            }
        return (.init(count, unit: "count"), .init(weight, unit: unit))
    }

    private struct Place: Hashable {
        var node: Profile.NodeID
        var thread: Int
    }

    private static func writeSamples(of profile: Profile, into writer: inout PprofWriter) {
        var values: [Place: (count: UInt64, weight: UInt64)] = [:]
        var places: [Place] = []
        for sample in profile.samples {
            let place = Place(node: sample.node, thread: sample.thread)
            if values[place] == nil { places.append(place) }
            values[place, default: (0, 0)].count &+= UInt64(sample.count)
            values[place, default: (0, 0)].weight &+= sample.weight
        }
        for place in places {
            let value = values[place] ?? (0, 0)
            let locations = profile.path(from: place.node).map { UInt64(profile.nodes[$0.index].frame.index) + 1 }
            writer.write(
                sample: locations, values: [value.count, value.weight],
                labels: [("thread", profile.threads[place.thread].name)])
        }
    }

    /// A mapping for each image, the program's first, a location for each frame, and the functions.
    private static func writeFunctions(of profile: Profile, into writer: inout PprofWriter) {
        var mappings: [String: UInt64] = [:]
        for image in [profile.program] + profile.functions.map(\.image) where mappings[image] == nil {
            let id = UInt64(mappings.count + 1)
            mappings[image] = id
            writer.write(mapping: id, file: image)
        }
        for (index, frame) in profile.frames.enumerated() {
            let mapping = mappings[profile.functions[frame.function.index].image] ?? 0
            writer.write(
                location: UInt64(index) + 1, mapping: mapping, function: UInt64(frame.function.index) + 1,
                line: UInt64(frame.line ?? 0))
        }
        for (index, function) in profile.functions.enumerated() {
            writer.write(function: UInt64(index) + 1, name: function.name, file: function.file ?? "")
        }
    }
}
