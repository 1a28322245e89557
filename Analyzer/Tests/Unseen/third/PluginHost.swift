import Dispatch
import Foundation

// MARK: - Plugin protocols

protocol PluginHosting: AnyObject {
    func post(_ message: String, from plugin: any Plugin)
    func document() -> Document
}

protocol Plugin: AnyObject {
    var name: String { get }
    var host: PluginHosting? { get set }
    func activate()
    func deactivate()
}

extension Plugin {
    func say(_ text: String) { host?.post(text, from: self) }
}

// MARK: - Document with undo

final class Document {
    private(set) var text = ""
    private let undo = UndoStack(limit: 8)

    func append(_ piece: String) {
        text += piece
        undo.push(target: self) { document in
            document.text.removeLast(piece.count)
        }
    }

    func revert() -> Bool { undo.pop() }

    func transaction(_ body: (Document) throws -> Void) rethrows {
        let snapshot = text
        try body(self)
        undo.push { [weak self] in self?.text = snapshot }
    }
}

final class UndoStack {
    private var actions: [() -> Void] = []
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    func push(_ action: @escaping () -> Void) {
        actions.append(action)
        if actions.count > limit { actions.removeFirst(actions.count - limit) }
    }

    func push<Target: AnyObject>(target: Target, _ action: @escaping (Target) -> Void) {
        push { [unowned target] in action(target) }
    }

    func pop() -> Bool {
        guard let action = actions.popLast() else { return false }
        action()
        return true
    }
}

// MARK: - Operations

/// Keeps itself alive while it is in flight.
final class ExportOperation {
    private var keepAlive: ExportOperation?
    private var completion: ((Int) -> Void)?
    private let text: String

    init(text: String) {
        self.text = text
    }

    func start(_ completion: @escaping (Int) -> Void) {
        keepAlive = self
        self.completion = completion
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(5)) { [weak self] in
            self?.finish()
        }
    }

    private func finish() {
        completion?(text.utf8.count)
        completion = nil
        keepAlive = nil
    }
}

final class RetryOperation {
    private var attempt: ((Int) -> Void)?
    private var tries = 0

    func run(until limit: Int, _ work: @escaping (Int) -> Bool) {
        attempt = { n in
            self.tries += 1
            if n >= limit || work(n) {
                self.attempt = nil
            } else {
                DispatchQueue.global().async { self.attempt?(n + 1) }
            }
        }
        attempt?(1)
    }
}

// MARK: - Plugins

final class WordCounter: Plugin {
    let name = "word-counter"
    weak var host: PluginHosting?
    private lazy var separators: CharacterSet = {
        self.name.isEmpty ? .whitespaces : .whitespacesAndNewlines
    }()

    func activate() {
        let words = host?.document().text.components(separatedBy: separators).filter { !$0.isEmpty }
        say("\(words?.count ?? 0) words")
    }

    func deactivate() {}
}

final class Exporter: Plugin {
    let name = "exporter"
    var host: PluginHosting?
    private let group = DispatchGroup()
    private var exported = 0

    func activate() {
        guard let document = host?.document() else { return }
        group.enter()
        ExportOperation(text: document.text).start { bytes in
            self.exported = bytes
            self.group.leave()
        }
    }

    func deactivate() {
        group.wait()
        say("exported \(exported) bytes")
    }
}

final class Spinner: Plugin {
    let name = "spinner"
    unowned var host: PluginHosting?
    private var onStop: (() -> Void)?

    func activate() {
        onStop = { self.say("spinner stopped") }
        RetryOperation().run(until: 4) { n in n == 3 }
    }

    func deactivate() {
        defer { onStop = nil }
        onStop?()
    }
}

// MARK: - Host

final class PluginHost: PluginHosting {
    private var plugins: [String: any Plugin] = [:]
    private var factories: [String: () -> any Plugin] = [:]
    private let current = Document()
    private var messages: [String] = []
    private let messageLimit = 5

    init() {
        factories["word-counter"] = { WordCounter() }
        factories["exporter"] = { Exporter() }
        factories["spinner"] = { [unowned self] in
            let spinner = Spinner()
            spinner.host = self
            return spinner
        }
    }

    func load(_ name: String) {
        guard plugins[name] == nil, let plugin = factories[name]?() else { return }
        plugins[name] = plugin
        plugin.host = self
        plugin.activate()
    }

    func unload(_ name: String) {
        guard let plugin = plugins.removeValue(forKey: name) else { return }
        plugin.deactivate()
        plugin.host = nil
    }

    func unloadAll() {
        for name in Array(plugins.keys).sorted() { unload(name) }
    }

    func post(_ message: String, from plugin: any Plugin) {
        messages.append("\(plugin.name): \(message)")
        if messages.count > messageLimit { messages.removeFirst() }
    }

    func document() -> Document { current }

    var transcript: String { messages.joined(separator: ", ") }
}

/// Every host is torn down here, whatever `body` does.
func withHost(_ body: (PluginHost) throws -> Void) rethrows {
    let host = PluginHost()
    defer {
        host.unloadAll()
        print(host.transcript)
    }
    try body(host)
}

func editingSession(_ n: Int) {
    withHost { host in
        let document = host.document()
        for i in 0..<(n * 6) { document.append("word\(i) ") }
        document.transaction { $0.append("tail") }
        while document.text.count > n * 30, document.revert() {}
        host.load("word-counter")
        host.load("exporter")
        if n > 1 { host.load("spinner") }
        if n == 2 { host.unload("exporter") }
    }
}

for n in 1...3 { editingSession(n) }
Thread.sleep(forTimeInterval: 0.05)
