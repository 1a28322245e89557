import Foundation

/// A profile of pprof as a value, with every reference followed.
package struct PprofReader {
    package struct Sample {
        /// Names of the functions, innermost first.
        package var functions: [String]
        /// By name of the value.
        package var values: [String: UInt64]
        package var labels: [String: String]
    }

    /// A reference leads nowhere, or a part is missing.
    package struct Damaged: Error {
        package var what: String
    }

    package var samples: [Sample] = []
    package var valueNames: [String] = []
    package var mappings: [(file: String, start: UInt64, end: UInt64, buildID: String)] = []
    /// Address and index of the mapping of each location that has both.
    package var places: [(address: UInt64, mapping: Int)] = []
    package var comments: [String] = []
    package var shown: String
    package var period: UInt64
    /// Of its beginning, since 1970, and how long it is.
    package var unixNanoseconds: UInt64
    package var nanoseconds: UInt64

    package init(_ data: Data) throws {
        let message = ProtobufReader(data)
        let strings = message.fields(6).map(\.text)
        func number(_ message: ProtobufReader, _ field: UInt64) -> UInt64 { message.fields(field).first?.number ?? 0 }
        func text(_ index: UInt64) throws -> String {
            guard index < strings.count else { throw Damaged(what: "string \(index)") }
            return strings[Int(index)]
        }
        guard strings.first == "" else { throw Damaged(what: "the first string") }
        valueNames = try message.fields(1).map { try text(number($0.message, 1)) }
        var mappingIndex: [UInt64: Int] = [:]
        for mapping in message.fields(3).map(\.message) {
            mappingIndex[number(mapping, 1)] = mappings.count
            mappings.append(
                (try text(number(mapping, 5)), number(mapping, 2), number(mapping, 3), try text(number(mapping, 6))))
        }
        var functions: [UInt64: String] = [:]
        for function in message.fields(5).map(\.message) {
            functions[number(function, 1)] = try text(number(function, 2))
        }
        var locations: [UInt64: [String]] = [:]
        for location in message.fields(4).map(\.message) {
            let mapping = number(location, 2)
            if mapping != 0 {
                guard let index = mappingIndex[mapping] else { throw Damaged(what: "mapping \(mapping)") }
                places.append((number(location, 3), index))
            }
            locations[number(location, 1)] = try location.fields(4).map {
                guard let name = functions[number($0.message, 1)] else { throw Damaged(what: "a function") }
                return name
            }
        }
        for sample in message.fields(2).map(\.message) {
            let values = sample.fields(2).first?.packed ?? []
            guard values.count == valueNames.count else { throw Damaged(what: "values") }
            var labels: [String: String] = [:]
            for label in sample.fields(3).map(\.message) {
                labels[try text(number(label, 1))] = try text(number(label, 2))
            }
            let names = try (sample.fields(1).first?.packed ?? []).flatMap { id in
                guard let names = locations[id] else { throw Damaged(what: "location \(id)") }
                return names
            }
            samples.append(
                Sample(
                    functions: names, values: Dictionary(uniqueKeysWithValues: zip(valueNames, values)), labels: labels)
            )
        }
        comments = try (message.fields(13).first?.packed ?? []).map(text)
        shown = try text(number(message, 14))
        period = number(message, 12)
        unixNanoseconds = number(message, 9)
        nanoseconds = number(message, 10)
    }

    package func sum(_ value: String) -> UInt64 { samples.reduce(0) { $0 + ($1.values[value] ?? 0) } }
}
