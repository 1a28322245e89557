/// Writes types without their modules wherever no two types of the report are then the same, and those of the standard
/// library as sources write them.
package struct ShortNames: Sendable {
    private let short: [String: String]

    /// `names`: every type that the report speaks of.
    package init(_ names: Set<String>) {
        var full: [String: Set<String>] = [:]
        for name in names { full[Self.strip(TypeSugar.sugared(name)), default: []].insert(name) }
        var short: [String: String] = [:]
        for (stripped, originals) in full {
            for original in originals {
                short[original] = originals.count == 1 ? stripped : TypeSugar.sugared(original)
            }
        }
        self.short = short
    }

    /// The name to print.
    package subscript(_ name: String) -> String { short[name] ?? name }

    /// Takes the module off the name and off each of its generic arguments.
    package static func strip(_ name: String) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(name.utf8.count)
        var wordStart = 0
        var mayBeModule = true
        for byte in name.utf8 {
            if byte == UInt8(ascii: "."), mayBeModule, result.count > wordStart {
                result.removeSubrange(wordStart...)
                mayBeModule = false
                continue
            }
            result.append(byte)
            guard !isIdentifier(byte) else { continue }
            wordStart = result.count
            mayBeModule = byte != UInt8(ascii: ".")
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func isIdentifier(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...: true
        default: false
        }
    }
}
