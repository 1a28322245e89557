/// Writes messages of protocol buffers: variable-length integers, and what has a length in front.
package struct ProtobufWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    private enum WireType: UInt64 {
        case variable = 0
        case fixed = 1
        case lengthDelimited = 2
    }

    private mutating func append(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private mutating func appendTag(_ field: UInt64, _ type: WireType) { append(field << 3 | type.rawValue) }

    /// An integer or true or false; 0 is what a field has that is not written.
    package mutating func write(_ value: UInt64, field: UInt64) {
        guard value != 0 else { return }
        appendTag(field, .variable)
        append(value)
    }

    /// An integer of eight bytes.
    package mutating func write(fixed value: UInt64, field: UInt64) {
        appendTag(field, .fixed)
        for shift in stride(from: UInt64(0), to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
    }

    package mutating func write(_ text: String, field: UInt64) {
        appendTag(field, .lengthDelimited)
        append(UInt64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    /// Repeated integers in one piece.
    package mutating func write(packed values: [UInt64], field: UInt64) {
        var inner = ProtobufWriter()
        for value in values { inner.append(value) }
        write(inner, field: field)
    }

    package mutating func write(_ message: ProtobufWriter, field: UInt64) {
        appendTag(field, .lengthDelimited)
        append(UInt64(message.bytes.count))
        bytes.append(contentsOf: message.bytes)
    }

    /// A message whose fields `fill` writes.
    package mutating func write(field: UInt64, _ fill: (inout ProtobufWriter) -> Void) {
        var message = ProtobufWriter()
        fill(&message)
        write(message, field: field)
    }
}
