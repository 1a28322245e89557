import Foundation

/// An editor that opens a line of a file by a link.
public enum Editor: String, CaseIterable, Sendable {
    case vscode
    case idea

    private static let pathCharacters = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")

    /// Nil for a file that is not named by its whole path.
    func link(file: String?, line: Int?) -> String? {
        guard let file, file.hasPrefix("/"),
            let path = file.addingPercentEncoding(withAllowedCharacters: Self.pathCharacters)
        else { return nil }
        switch self {
        case .vscode: return "vscode://file\(path)" + (line.map { ":\($0)" } ?? "")
        case .idea: return "idea://open?file=\(path)" + (line.map { "&line=\($0)" } ?? "")
        }
    }
}

/// What a page has besides the report.
public struct PageOptions: Sendable {
    /// Source lines are links that this editor opens; nil: they are no links.
    public var editor: Editor?
    /// The page that lists this one, relative to it.
    public var index: String?
    /// Lines of source are part of the page.
    public var showsSources: Bool
    /// The page begins with resident memory.
    public var explainsFootprint: Bool

    public init(
        editor: Editor? = nil, index: String? = nil, showsSources: Bool = true, explainsFootprint: Bool = false
    ) {
        self.editor = editor
        self.index = index
        self.showsSources = showsSources
        self.explainsFootprint = explainsFootprint
    }
}
