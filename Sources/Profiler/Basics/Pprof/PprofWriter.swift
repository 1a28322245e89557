/// Writes a profile in the format of pprof (github.com/google/pprof, proto/profile.proto), part by part: what was written is
/// kept as bytes alone. Numbers below are those of its fields; ids begin with 1.
package struct PprofWriter {
    private var output = ProtobufWriter()
    private var strings: [String: UInt64] = ["": 0]
    private var order = [""]

    package init() {}

    /// Name and unit of a value, of which each sample has one.
    package struct ValueType: Hashable, Sendable {
        package var name: String
        package var unit: String

        package init(_ name: String, unit: String) { (self.name, self.unit) = (name, unit) }
    }

    /// Index in the string table.
    private mutating func string(_ text: String) -> UInt64 {
        if let known = strings[text] { return known }
        strings[text] = UInt64(order.count)
        order.append(text)
        return UInt64(order.count - 1)
    }

    private mutating func write(_ type: ValueType, field: UInt64) {
        let (name, unit) = (string(type.name), string(type.unit))
        output.write(field: field) {
            $0.write(name, field: 1)
            $0.write(unit, field: 2)
        }
    }

    package mutating func write(_ type: ValueType) { write(type, field: 1) }

    /// `locations`: their ids, innermost first.
    package mutating func write(sample locations: [UInt64], values: [UInt64], labels: [(key: String, text: String)]) {
        let labels = labels.map { (string($0.key), string($0.text)) }
        output.write(field: 2) {
            $0.write(packed: locations, field: 1)
            $0.write(packed: values, field: 2)
            for (key, text) in labels {
                $0.write(field: 3) {
                    $0.write(key, field: 1)
                    $0.write(text, field: 2)
                }
            }
        }
    }

    /// Where an image lies in memory, which part of its file that is, and its build id.
    package struct Placement: Hashable, Sendable {
        package var start: UInt64
        package var end: UInt64
        package var offset: UInt64
        package var buildID: String

        package init(start: UInt64, end: UInt64, offset: UInt64, buildID: String) {
            (self.start, self.end, self.offset, self.buildID) = (start, end, offset, buildID)
        }
    }

    /// An image. Readers take the first for the program. Its functions are known: no reader looks for its file.
    package mutating func write(mapping id: UInt64, file: String, placement: Placement? = nil) {
        let (file, build) = (string(file), string(placement?.buildID ?? ""))
        output.write(field: 3) {
            $0.write(id, field: 1)
            if let placement {
                $0.write(placement.start, field: 2)
                $0.write(placement.end, field: 3)
                $0.write(placement.offset, field: 4)
            }
            $0.write(file, field: 5)
            $0.write(build, field: 6)
            for isKnown: UInt64 in 7...10 { $0.write(1, field: isKnown) }
        }
    }

    /// `mapping`, `address`, `function` and `line`: 0 is not known.
    package mutating func write(
        location id: UInt64, mapping: UInt64, address: UInt64 = 0, function: UInt64, line: UInt64 = 0
    ) {
        output.write(field: 4) {
            $0.write(id, field: 1)
            $0.write(mapping, field: 2)
            $0.write(address, field: 3)
            guard function != 0 else { return }
            $0.write(field: 4) {
                $0.write(function, field: 1)
                $0.write(line, field: 2)
            }
        }
    }

    package mutating func write(function id: UInt64, name: String, file: String = "") {
        let (name, file) = (string(name), string(file))
        output.write(field: 5) {
            $0.write(id, field: 1)
            $0.write(name, field: 2)
            $0.write(name, field: 3)
            $0.write(file, field: 4)
        }
    }

    /// What is said of the whole profile.
    package struct Summary: Sendable {
        /// Of its beginning.
        package var unixNanoseconds: UInt64
        package var nanoseconds: UInt64
        /// What lies between two samples.
        package var periodType: ValueType
        package var period: UInt64
        package var comments: [String]
        /// Name of the value that is shown first.
        package var shown: String

        package init(
            unixNanoseconds: UInt64, nanoseconds: UInt64, periodType: ValueType, period: UInt64, comments: [String],
            shown: String
        ) {
            (self.unixNanoseconds, self.nanoseconds) = (unixNanoseconds, nanoseconds)
            (self.periodType, self.period, self.comments, self.shown) = (periodType, period, comments, shown)
        }
    }

    /// Ends the profile and returns its bytes.
    package mutating func finish(_ summary: Summary) -> [UInt8] {
        output.write(summary.unixNanoseconds, field: 9)
        output.write(summary.nanoseconds, field: 10)
        write(summary.periodType, field: 11)
        output.write(summary.period, field: 12)
        let comments = summary.comments.map { string($0) }
        output.write(packed: comments, field: 13)
        output.write(string(summary.shown), field: 14)
        for text in order { output.write(text, field: 6) }
        return output.bytes
    }
}
