/// The pieces of a name as the demangler, the runtime, the recorder or a source writes it. Whatever takes a name apart reads
/// these: a raw identifier (`` `Board v1.2` ``) and an operator (`..<`) may consist of the characters that separate others.
/// Linear in the name's length, for any text.
package struct NameTokens: Sequence, IteratorProtocol {
    package enum Kind: Hashable {
        /// A word, a number, an operator's name, a raw identifier with its backticks, a text with its quotes.
        case identifier
        case arrow
        /// Any other byte: a bracket, a point, a space.
        case mark(Unicode.Scalar)
    }

    package struct Token {
        package var kind: Kind
        package var range: Range<String.Index>
        /// How many brackets are open around it; a closing bracket has the number of the one that it closes.
        package var depth: Int
    }

    private let text: Substring.UTF8View
    private var place: String.Index
    private var depth = 0
    private var last: Kind?

    package init(_ name: Substring) {
        text = name.utf8
        place = text.startIndex
    }

    package init(_ name: String) { self.init(name[...]) }

    package mutating func next() -> Token? {
        guard place < text.endIndex else { return nil }
        let start = place
        let kind = take(text[start])
        last = kind
        switch kind {
        case .mark("("), .mark("["), .mark("<"):
            depth += 1
            return Token(kind: kind, range: start..<place, depth: depth - 1)
        case .mark(")"), .mark("]"), .mark(">"): depth = Swift.max(0, depth - 1)
        default: break
        }
        return Token(kind: kind, range: start..<place, depth: depth)
    }

    private mutating func take(_ byte: UInt8) -> Kind {
        if byte == UInt8(ascii: "`") || byte == UInt8(ascii: "\"") {
            let inside = text.index(after: place)
            let end = text[inside...].firstIndex(of: byte)
            // What has no end was cut there.
            place = end.map { text.index(after: $0) } ?? text.endIndex
            return .identifier
        }
        if Identifier.isPlain(byte) {
            place = text[place...].firstIndex { !Identifier.isPlain($0) } ?? text.endIndex
            return .identifier
        }
        if let end = endOfOperator {
            place = end
            return .identifier
        }
        place = text.index(after: place)
        guard byte == UInt8(ascii: "-"), place < text.endIndex, text[place] == UInt8(ascii: ">") else {
            return .mark(Unicode.Scalar(byte))
        }
        place = text.index(after: place)
        return .arrow
    }

    /// The demangler writes a word behind an operator's name. The point between a type and its operator is none of it.
    private var endOfOperator: String.Index? {
        let separates =
            switch last {
            case .identifier?, .mark(">")?, .mark(")")?, .mark("]")?: true
            default: false
            }
        guard !separates, Self.isOfOperator(text[place]),
            let end = text[place...].firstIndex(where: { !Self.isOfOperator($0) && $0 < 0x80 })
        else { return nil }
        let rest = text[end...]
        return Self.fixities.contains { rest.starts(with: $0.utf8) } ? end : nil
    }

    private static func isOfOperator(_ byte: UInt8) -> Bool { "/=-+!*%<>&|^~?.".utf8.contains(byte) }
    private static let fixities = [" infix", " prefix", " postfix"]
}

extension NameTokens {
    /// The parts between such marks outside of brackets: `Game`, `Box<A.B>` of `Game.Box<A.B>` at points. At least one.
    package static func split(_ name: Substring, at mark: Unicode.Scalar) -> [Substring] {
        var parts: [Substring] = []
        var start = name.startIndex
        for token in NameTokens(name) where token.depth == 0 && token.kind == .mark(mark) {
            parts.append(name[start..<token.range.lowerBound])
            start = token.range.upperBound
        }
        return parts + [name[start...]]
    }

    package static func split(_ name: String, at mark: Unicode.Scalar) -> [Substring] { split(name[...], at: mark) }

    /// `Box` of `Game.Box`: what stands behind the last such point.
    package static func last(of name: String) -> String { String(split(name, at: ".").last ?? "") }

    /// What stands before the first of such marks outside of brackets; all of it where there is none.
    package static func prefix(of name: Substring, before marks: Unicode.Scalar...) -> Substring {
        for token in NameTokens(name) where token.depth == 0 {
            if case .mark(let mark) = token.kind, marks.contains(mark) { return name[..<token.range.lowerBound] }
        }
        return name
    }

    /// The name and what it belongs to: `Metrics`, `samples` of `Metrics.samples`; nil: it has no such point.
    package static func member(of name: String) -> (owner: Substring, member: Substring)? {
        let parts = split(name, at: ".")
        guard parts.count > 1, let last = parts.last, last.startIndex > name.index(after: name.startIndex) else {
            return nil
        }
        return (name[..<name.utf8.index(before: last.startIndex)], last)
    }
}
