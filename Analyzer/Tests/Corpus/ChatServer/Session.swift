import Foundation

/// A logged-in user on a connection.
final class Session {
    let connection: Connection
    var name: String?
    private var commands: [String: ([String]) -> String] = [:]
    private var middleware: [(String) -> String] = []
    private var fallback: ((String) -> String)?
    private lazy var greeting: () -> String = {  // suspect: stored-closure
        "Welcome, \(self.name ?? "stranger")"
    }
    private lazy var prompt: String = {  // no-finding: stored-closure
        self.name.map { "\($0)> " } ?? "> "
    }()

    init(connection: Connection) {
        self.connection = connection
        connection.onLine { line in  // suspect: stored-closure
            self.handle(line)
        }
        connection.onClose { [weak self] in  // no-finding: stored-closure
            self?.name = nil
        }
        commands["nick"] = { arguments in  // suspect: stored-closure
            self.name = arguments.first
            return "You are now \(self.name ?? "nobody")"
        }
        commands["time"] = { _ in  // no-finding: stored-closure
            "\(Date())"
        }
        commands["quit"] = { [unowned self] _ in  // no-finding: unowned-outlived
            self.connection.close()
            return "Bye"
        }
        commands["help"] = help  // suspect: stored-method
        middleware.append(Session.trim)  // no-finding: stored-method
        use { line in line.lowercased() }  // no-finding: stored-closure
        use { line in  // suspect: stored-closure
            "[\(self.name ?? "?")] \(line)"
        }
        fallback = self.unknown  // suspect: stored-method
    }

    func use(_ step: @escaping (String) -> String) {
        middleware.append(step)
    }

    static func trim(_ line: String) -> String {
        line.trimmingCharacters(in: .whitespaces)
    }

    private func help(_ arguments: [String]) -> String {
        commands.keys.sorted().joined(separator: " ")
    }

    private func unknown(_ line: String) -> String {
        "Unknown command: \(line)"
    }

    private func handle(_ line: String) {
        let line = middleware.reduce(line) { text, step in step(text) }  // no-finding: stored-closure
        let words = line.split(separator: " ").map(String.init)
        guard let command = words.first, let action = commands[command] else {
            connection.write(fallback?(line) ?? "")
            return
        }
        connection.write(action(Array(words.dropFirst())))
    }
}
