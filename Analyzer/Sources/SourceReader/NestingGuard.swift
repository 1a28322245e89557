/// Keeps from the parser what it would follow to the end of the stack: it looks ahead without a limit behind brackets, `<`,
/// `->`, `if` and words like `try`. No source that anybody wrote comes near the limit.
enum NestingGuard {
    /// Openings without an end beyond which a text is not parsed.
    private static let limit = 1_000
    /// Words of which any number may stand in a row, each around or in front of the next.
    private static let prefixes: Set<String> = [
        "try", "await", "unsafe", "repeat", "each", "consume", "copy", "borrow", "some", "any", "async", "indirect",
        "isolated", "lazy", "macro", "nonisolated", "precedencegroup", "sending", "unowned", "weak", "available",
    ]

    /// Whether the text can be parsed. Texts and comments count too, but for an `if` behind `//`. Linear.
    static func admits(_ bytes: [UInt8]) -> Bool {
        var (brackets, angles, arrows, conditions, words) = (0, 0, 0, 0, 0)
        var isRemark = false
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            var next = index + 1
            switch byte {
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): brackets += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): brackets = max(0, brackets - 1)
            case UInt8(ascii: "<"): angles += 1
            case UInt8(ascii: ">"):
                let isArrow = index > 0 && bytes[index - 1] == UInt8(ascii: "-")
                if isArrow { arrows += 1 } else { angles = max(0, angles - 1) }
            case let letter where isLetter(letter):
                while next < bytes.count, isLetter(bytes[next]) { next += 1 }
                let word = next - index < 16 ? String(decoding: bytes[index..<next], as: UTF8.self) : ""
                if word == "if", !isRemark, index == 0 || bytes[index - 1] != UInt8(ascii: "#") { conditions += 1 }
                words = prefixes.contains(word) ? words + 1 : 0
            case UInt8(ascii: "/"): isRemark = isRemark || (index > 0 && bytes[index - 1] == byte)
            case 0x0A: isRemark = false
            default: break
            }
            if !keepsWords(byte) { words = 0 }
            if endsType(byte) { (angles, arrows) = (0, 0) }
            if byte == UInt8(ascii: "(") || byte == UInt8(ascii: ")") { arrows = 0 }
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") { conditions = 0 }
            if max(brackets, angles, arrows, conditions, words) > limit { return false }
            index = next
        }
        return true
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_") || byte >= 0x80
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// Spaces, marks behind `try`, comments, and words themselves.
    private static func keepsWords(_ byte: UInt8) -> Bool {
        byte <= 0x20 || isLetter(byte) || "!?/*#".utf8.contains(byte)
    }

    private static func endsType(_ byte: UInt8) -> Bool { "{};=\"".utf8.contains(byte) }
}
