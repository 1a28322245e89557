import Foundation
import Profiler

/// The format of pprof (github.com/google/pprof, proto/profile.proto). Numbers below are those of its fields.
enum PprofExport {
    static func render(_ profile: Profile) -> Data {
        var export = Writer(profile)
        export.writeValueTypes()
        export.writeSamples()
        export.writeFunctions()
        export.writeEnd()
        return Data(export.output.bytes)
    }

    private struct Writer {
        let profile: Profile
        var output = ProtobufWriter()
        private var strings: [String: UInt64] = ["": 0]
        private var order = [""]

        init(_ profile: Profile) { self.profile = profile }

        /// Index in the string table.
        private mutating func string(_ text: String) -> UInt64 {
            if let known = strings[text] { return known }
            strings[text] = UInt64(order.count)
            order.append(text)
            return UInt64(order.count - 1)
        }

        private mutating func writeValueType(_ type: String, _ unit: String, field: UInt64) {
            let (type, unit) = (string(type), string(unit))
            output.write(field: field) {
                $0.write(type, field: 1)
                $0.write(unit, field: 2)
            }
        }

        /// How many, and how much: the names that `go tool pprof` knows of heap profiles.
        private var valueNames: (count: String, weight: String, unit: String) {
            switch profile.unit {
            case .bytes where profile.isLive: ("inuse_objects", "inuse_space", "bytes")
            case .bytes: ("alloc_objects", "alloc_space", "bytes")
            case .nanoseconds: ("samples", "cpu", "nanoseconds")
            }
        }

        mutating func writeValueTypes() {
            writeValueType(valueNames.count, "count", field: 1)
            writeValueType(valueNames.weight, valueNames.unit, field: 1)
        }

        private struct Place: Hashable {
            var node: Profile.NodeID
            var thread: Int
        }

        mutating func writeSamples() {
            var values: [Place: (count: UInt64, weight: UInt64)] = [:]
            var places: [Place] = []
            for sample in profile.samples {
                let place = Place(node: sample.node, thread: sample.thread)
                if values[place] == nil { places.append(place) }
                values[place, default: (0, 0)].count &+= UInt64(sample.count)
                values[place, default: (0, 0)].weight &+= sample.weight
            }
            let key = string("thread")
            for place in places {
                let value = values[place] ?? (0, 0)
                let name = string(profile.threads[place.thread].name)
                let locations = profile.path(from: place.node).map { UInt64(profile.nodes[$0.index].frame.index) + 1 }
                output.write(field: 2) {
                    $0.write(packed: locations, field: 1)
                    $0.write(packed: [value.count, value.weight], field: 2)
                    $0.write(field: 3) {
                        $0.write(key, field: 1)
                        $0.write(name, field: 2)
                    }
                }
            }
        }

        /// A mapping for each image, a location for each frame, and the functions. Ids begin with 1. Readers take the first
        /// mapping for the program.
        mutating func writeFunctions() {
            var mappings: [String: UInt64] = [:]
            for image in [profile.program] + profile.functions.map(\.image) where mappings[image] == nil {
                let id = UInt64(mappings.count + 1)
                mappings[image] = id
                let file = string(image)
                output.write(field: 3) {
                    $0.write(id, field: 1)
                    $0.write(file, field: 5)
                    for isKnown: UInt64 in 7...10 { $0.write(1, field: isKnown) }
                }
            }
            for (index, frame) in profile.frames.enumerated() {
                let mapping = mappings[profile.functions[frame.function.index].image] ?? 0
                output.write(field: 4) {
                    $0.write(UInt64(index) + 1, field: 1)
                    $0.write(mapping, field: 2)
                    $0.write(field: 4) {
                        $0.write(UInt64(frame.function.index) + 1, field: 1)
                        $0.write(UInt64(frame.line ?? 0), field: 2)
                    }
                }
            }
            for (index, function) in profile.functions.enumerated() {
                let (name, file) = (string(function.name), string(function.file ?? ""))
                output.write(field: 5) {
                    $0.write(UInt64(index) + 1, field: 1)
                    $0.write(name, field: 2)
                    $0.write(name, field: 3)
                    $0.write(file, field: 4)
                }
            }
        }

        mutating func writeEnd() {
            output.write(profile.startUnixNanoseconds, field: 9)
            output.write(profile.wall, field: 10)
            writeValueType(valueNames.weight, valueNames.unit, field: 11)
            output.write(profile.period, field: 12)
            let comments = (["gameprof: \(profile.title)"] + profile.remarks).map { string($0) }
            output.write(packed: comments, field: 13)
            output.write(string(valueNames.weight), field: 14)
            for text in order { output.write(text, field: 6) }
        }
    }
}
