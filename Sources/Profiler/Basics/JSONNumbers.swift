import Foundation

/// Finds numbers in JSON that nothing counts: sums of the others exist, and fit into the integers that hold them.
package enum JSONNumbers {
    /// As in baselines.
    private static let most = 1e18

    /// The first that lies beyond 10¹⁸ or below −10¹⁸, as it is written; nil: there is none.
    package static func excessive(in json: String) -> String? {
        var json = json
        return json.withUTF8 { excessive(in: $0) }
    }

    private static func excessive(in bytes: UnsafeBufferPointer<UInt8>) -> String? {
        var next = 0
        while next < bytes.count {
            switch bytes[next] {
            case UInt8(ascii: "\""): next = endOfText(bytes, from: next + 1)
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                let end = bytes[next...].firstIndex { !isOfNumber($0) } ?? bytes.count
                let text = String(decoding: bytes[next..<end], as: UTF8.self)
                if let number = Double(text), !(-most...most).contains(number) { return String(text.prefix(40)) }
                next = end
            default: next += 1
            }
        }
        return nil
    }

    /// Behind the quotation mark that ends it.
    private static func endOfText(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var next = start
        while next < bytes.count, bytes[next] != UInt8(ascii: "\"") {
            next += bytes[next] == UInt8(ascii: "\\") ? 2 : 1
        }
        return next + 1
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }
}
