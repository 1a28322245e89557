/// One identifier, as sources write it.
package enum Identifier {
    private static let backtick = UInt8(ascii: "`")

    /// Whether it stands in backticks.
    package static func isRaw(_ identifier: Substring) -> Bool {
        let bytes = identifier.utf8
        return bytes.count > 2 && bytes.first == backtick && bytes.last == backtick
    }

    /// Without the backticks of a raw identifier.
    package static func unquoted(_ identifier: Substring) -> Substring {
        isRaw(identifier) ? Substring(identifier.utf8.dropFirst().dropLast()) : identifier
    }

    /// In backticks where a source cannot have it without.
    package static func quoted(_ name: Substring) -> String {
        isPlain(name) ? String(name) : "`\(name)`"
    }

    /// Whether it is one without backticks, but for keywords.
    package static func isPlain(_ name: Substring) -> Bool {
        name.utf8.allSatisfy(isPlain) && !(name.utf8.first.map(isDigit) ?? true)
    }

    /// The compiler writes the spaces of raw identifiers as no-break spaces, which no source may have in one, wherever a program
    /// keeps its names.
    package static func withSpaces(_ names: String) -> String {
        names.utf8.contains(0xc2) && names.unicodeScalars.contains("\u{a0}")
            ? String(String.UnicodeScalarView(names.unicodeScalars.map { $0 == "\u{a0}" ? " " : $0 })) : names
    }

    static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...: true
        default: isDigit(byte)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
