import GameprofAnalysis
import GameprofBasics

/// Profiles as a request of OTLP: `ExportProfilesServiceRequest` of opentelemetry-proto 1.10.0, profiles v1development. Numbers
/// below are those of its fields. A profile has one value there: each of these becomes two, how many and how much.
package enum OtlpExport {
    package static let path = "/v1development/profiles"

    /// `attributes`: of the resource, with `service.name`.
    package static func request(_ profiles: [Profile], attributes: [String: String]) -> [UInt8] {
        var dictionary = OtlpDictionary()
        var scope = ProtobufWriter()
        scope.write(field: 1) { $0.write("gameprof", field: 1) }
        for profile in profiles { write(profile, into: &scope, &dictionary) }
        var request = ProtobufWriter()
        request.write(field: 1) { resource in
            resource.write(field: 1) {
                for (key, value) in attributes.sorted(by: { $0.key < $1.key }) {
                    $0.write(field: 1) {
                        $0.write(key, field: 1)
                        $0.write(field: 2) { $0.write(value, field: 1) }
                    }
                }
            }
            resource.write(scope, field: 2)
        }
        request.write(dictionary.message(), field: 2)
        return request.bytes
    }

    /// What makes a sample the same: it is written once.
    private struct Identity: Hashable {
        var stack: UInt64
        var attribute: UInt64
    }

    private static func write(
        _ profile: Profile, into scope: inout ProtobufWriter, _ dictionary: inout OtlpDictionary
    ) {
        var stacks: [Profile.NodeID: UInt64] = [:]
        var values: [Identity: [UInt64]] = [:]
        var order: [Identity] = []
        for sample in profile.samples {
            let stack = stacks[sample.node] ?? dictionary.stack(of: sample.node, in: profile)
            stacks[sample.node] = stack
            let identity = Identity(
                stack: stack, attribute: dictionary.attribute("thread.name", profile.threads[sample.thread].name))
            if values[identity] == nil { order.append(identity) }
            values[identity, default: [0, 0]][0] &+= UInt64(sample.count)
            values[identity, default: [0, 0]][1] &+= sample.weight
        }
        let (count, weight) = PprofExport.valueTypes(of: profile)
        let period = dictionary.valueType(weight)
        for (index, type) in [count, weight].enumerated() {
            let sampleType = dictionary.valueType(type)
            scope.write(field: 2) { message in
                message.write(sampleType, field: 1)
                for identity in order {
                    message.write(field: 2) {
                        $0.write(identity.stack, field: 1)
                        $0.write(packed: [identity.attribute], field: 2)
                        $0.write(packed: [values[identity]?[index] ?? 0], field: 4)
                    }
                }
                message.write(fixed: profile.startUnixNanoseconds, field: 3)
                message.write(profile.wall, field: 4)
                message.write(period, field: 5)
                message.write(profile.period, field: 6)
            }
        }
    }
}

/// `ProfilesDictionary`: what samples refer to by index, each once. Number 0 of each table stands for what is not there.
struct OtlpDictionary {
    private struct Table<Row: Hashable> {
        private(set) var rows: [Row] = []
        private var numbers: [Row: UInt64] = [:]

        mutating func number(of row: Row) -> UInt64 {
            if let known = numbers[row] { return known }
            rows.append(row)
            numbers[row] = UInt64(rows.count)
            return UInt64(rows.count)
        }
    }

    private struct Function: Hashable {
        var name: UInt64
        var file: UInt64
    }

    private struct Location: Hashable {
        var mapping: UInt64
        var function: UInt64
        var line: UInt64
    }

    private struct Attribute: Hashable {
        var key: UInt64
        var value: String
    }

    private var strings = Table<String>()
    /// The file's name.
    private var mappings = Table<UInt64>()
    private var functions = Table<Function>()
    private var locations = Table<Location>()
    private var stacks = Table<[UInt64]>()
    private var attributes = Table<Attribute>()

    private mutating func string(_ text: String) -> UInt64 { text.isEmpty ? 0 : strings.number(of: text) }

    mutating func attribute(_ key: String, _ value: String) -> UInt64 {
        attributes.number(of: Attribute(key: string(key), value: value))
    }

    mutating func valueType(_ type: PprofWriter.ValueType) -> ProtobufWriter {
        var message = ProtobufWriter()
        message.write(string(type.name), field: 1)
        message.write(string(type.unit), field: 2)
        return message
    }

    /// The innermost frame first.
    mutating func stack(of node: Profile.NodeID, in profile: Profile) -> UInt64 {
        let path = profile.path(from: node).map { location($0, in: profile) }
        return path.isEmpty ? 0 : stacks.number(of: path)
    }

    private mutating func location(_ node: Profile.NodeID, in profile: Profile) -> UInt64 {
        let frame = profile.frames[profile.nodes[node.index].frame.index]
        let function = profile.functions[frame.function.index]
        let image = string(function.image)
        return locations.number(
            of: Location(
                mapping: image == 0 ? 0 : mappings.number(of: image),
                function: functions.number(
                    of: Function(name: string(function.name), file: string(function.file ?? ""))),
                line: UInt64(frame.line ?? 0)))
    }

    func message() -> ProtobufWriter {
        var message = ProtobufWriter()
        for table: UInt64 in [1, 2, 3, 6, 7] { message.write(field: table) { _ in } }
        // Readers expect the lengths of real identifiers.
        message.write(field: 4) {
            $0.write(String(repeating: "\0", count: 16), field: 1)
            $0.write(String(repeating: "\0", count: 8), field: 2)
        }
        message.write("", field: 5)
        for file in mappings.rows { message.write(field: 1) { $0.write(file, field: 4) } }
        for location in locations.rows {
            message.write(field: 2) {
                $0.write(location.mapping, field: 1)
                $0.write(field: 3) {
                    $0.write(location.function, field: 1)
                    $0.write(location.line, field: 2)
                }
            }
        }
        for function in functions.rows {
            message.write(field: 3) {
                $0.write(function.name, field: 1)
                $0.write(function.file, field: 3)
            }
        }
        for text in strings.rows { message.write(text, field: 5) }
        for attribute in attributes.rows {
            message.write(field: 6) {
                $0.write(attribute.key, field: 1)
                $0.write(field: 2) { $0.write(attribute.value, field: 1) }
            }
        }
        for stack in stacks.rows { message.write(field: 7) { $0.write(packed: stack, field: 1) } }
        return message
    }
}
