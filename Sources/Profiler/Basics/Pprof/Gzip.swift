/// RFC 1952 around blocks that are stored as they are (RFC 1951, 3.2.4): readers that insist on gzip take it.
package enum Gzip {
    package static func stored(_ data: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]
        result.reserveCapacity(data.count + data.count / 0xffff * 5 + 32)
        var rest = data[...]
        repeat {
            let block = rest.prefix(0xffff)
            rest = rest.dropFirst(block.count)
            let count = UInt16(block.count)
            result.append(rest.isEmpty ? 1 : 0)
            for word in [count, ~count] { result.append(contentsOf: [UInt8(word & 0xff), UInt8(word >> 8)]) }
            result.append(contentsOf: block)
        } while !rest.isEmpty
        for word in [crc(data), UInt32(truncatingIfNeeded: data.count)] {
            for shift in [UInt32(0), 8, 16, 24] { result.append(UInt8(word >> shift & 0xff)) }
        }
        return result
    }

    private static let table = (0..<256).map { (byte: UInt32) -> UInt32 in
        (0..<8).reduce(byte) { value, _ in value & 1 == 1 ? 0xedb8_8320 ^ (value >> 1) : value >> 1 }
    }

    package static func crc(_ data: [UInt8]) -> UInt32 {
        ~data.reduce(~UInt32(0)) { table[Int(($0 ^ UInt32($1)) & 0xff)] ^ ($0 >> 8) }
    }
}
