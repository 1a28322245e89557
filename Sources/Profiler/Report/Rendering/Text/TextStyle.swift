/// How a text report is drawn.
public struct TextStyle: Sendable {
    /// Terminal colours.
    public var isColoured: Bool
    /// Columns; lines are cut or wrapped to it.
    public var width: Int
    /// Findings of one kind beyond this many are counted only.
    public var findingLimit = 50

    public init(isColoured: Bool = false, width: Int = 100) {
        self.isColoured = isColoured
        self.width = max(40, min(width, 160))
    }

    package enum Colour: String {
        case error = "31"
        case warning = "33"
        case good = "32"
        case bold = "1"
        case faint = "2"
    }

    package func paint(_ text: String, _ colour: Colour) -> String {
        isColoured && !text.isEmpty ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
    }
}
