import Foundation

/// Reads messages of protocol buffers far enough to look at what was written.
package struct ProtobufReader {
    private let bytes: [UInt8]

    package init(_ data: Data) { bytes = Array(data) }
    private init(_ slice: ArraySlice<UInt8>) { bytes = Array(slice) }

    package struct Field {
        package var number: UInt64 = 0
        package var content: ArraySlice<UInt8> = []

        package var text: String { String(decoding: content, as: UTF8.self) }
        package var message: ProtobufReader { ProtobufReader(content) }
        package var packed: [UInt64] {
            var place = content.startIndex
            var values: [UInt64] = []
            while place < content.endIndex { values.append(ProtobufReader.variable(content, &place)) }
            return values
        }
    }

    /// The fields of a number, in order.
    package func fields(_ wanted: UInt64) -> [Field] {
        var place = 0
        var found: [Field] = []
        while place < bytes.count {
            let tag = Self.variable(bytes[...], &place)
            var field = Field()
            if tag & 7 == 0 {
                field.number = Self.variable(bytes[...], &place)
            } else if tag & 7 == 1 {
                field.number = bytes[place..<place + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
                place += 8
            } else {
                let length = Int(Self.variable(bytes[...], &place))
                field.content = bytes[place..<place + length]
                place += length
            }
            if tag >> 3 == wanted { found.append(field) }
        }
        return found
    }

    private static func variable(_ bytes: ArraySlice<UInt8>, _ place: inout Int) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        repeat {
            value |= UInt64(bytes[place] & 0x7f) << shift
            shift += 7
            place += 1
        } while bytes[place - 1] & 0x80 != 0
        return value
    }
}
