import Foundation

protocol CommandRegistry: AnyObject {
    func addCommand(_ name: String, _ run: @escaping (inout String) -> Void)
}

protocol EditorPlugin: AnyObject {
    static var identifier: String { get }
    func activate(in host: PluginHost)
    func documentChanged(_ text: String)
}

extension EditorPlugin {
    func documentChanged(_ text: String) {}
}

struct CommandItem {
    let name: String
    let run: (inout String) -> Void
}

final class WordCountPlugin: EditorPlugin {
    static let identifier = "word-count"
    private var host: PluginHost!
    private(set) var words = 0

    func activate(in host: PluginHost) {
        self.host = host
        host.setStatus("words: 0", from: Self.identifier)
    }

    func documentChanged(_ text: String) {
        words = text.split(whereSeparator: \.isWhitespace).count
        host.setStatus("words: \(words)", from: Self.identifier)
    }
}

final class SpellingPlugin: EditorPlugin {
    static let identifier = "spelling"
    private unowned var host: PluginHost?
    private let dictionary: Set<String>

    init(dictionary: Set<String>) {
        self.dictionary = dictionary
    }

    func activate(in host: PluginHost) {
        self.host = host
    }

    func documentChanged(_ text: String) {
        let unknown = text.split(whereSeparator: { !$0.isLetter }).filter { word in
            !self.dictionary.contains(word.lowercased())
        }
        host?.setStatus("unknown: \(unknown.count)", from: Self.identifier)
    }
}

final class FormatterPlugin: EditorPlugin {
    static let identifier = "formatter"
    private var registry: (any CommandRegistry)?
    private var width = 72

    func activate(in host: PluginHost) {
        registry = host
        registry?.addCommand("format.wrap", format)
        registry?.addCommand("format.trim") { text in
            text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        registry?.addCommand("format.narrow") { [weak self] text in
            self?.width = 40
            self?.format(&text)
        }
    }

    private func format(_ text: inout String) {
        var column = 0
        var result = ""
        for word in text.split(separator: " ") {
            if column + word.count > width {
                result += "\n"
                column = 0
            }
            result += word + " "
            column += word.count + 1
        }
        text = result
    }
}

final class PluginHost: CommandRegistry {
    private var plugins: [String: any EditorPlugin] = [:]
    private var commands: [String: CommandItem] = [:]
    private var status: [String: String] = [:]
    private(set) var text: String

    init(text: String) {
        self.text = text
    }

    func load<P: EditorPlugin>(_ plugin: P) {
        plugins[P.identifier] = plugin
        plugin.activate(in: self)
    }

    func addCommand(_ name: String, _ run: @escaping (inout String) -> Void) {
        commands[name] = CommandItem(name: name, run: run)
    }

    func perform(_ name: String) {
        commands[name]?.run(&text)
        plugins.values.forEach { $0.documentChanged(self.text) }
    }

    func setStatus(_ line: String, from identifier: String) {
        status[identifier] = line
    }

    var statusBar: String {
        status.sorted { $0.key < $1.key }.map(\.value).joined(separator: " | ")
    }
}

func openEditor() {
    let host = PluginHost(text: "  a rather short text to wrap  ")
    host.load(WordCountPlugin())
    host.load(SpellingPlugin(dictionary: ["a", "short", "text", "to"]))
    host.load(FormatterPlugin())
    host.perform("format.trim")
    host.perform("format.wrap")
    print(host.statusBar)
}

openEditor()
