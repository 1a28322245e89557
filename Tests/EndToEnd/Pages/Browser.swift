import Foundation

/// A headless Chromium that is driven over its debugging protocol, through a pipe. Nil where none is installed.
final class Browser {
    /// Sentences of exceptions and of errors on the console since the last page was opened.
    private(set) var errors: [String] = []

    private let process: pid_t
    private let toBrowser: FileHandle
    private let fromBrowser: FileHandle
    private let profile: TemporaryFolder
    private var buffer = Data()
    private var lastID = 0
    private var session: String?

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    private static let executable = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
        .first(where: FileManager.default.isExecutableFile)

    static let isInstalled = executable != nil

    init() throws {
        guard let executable = Self.executable else { throw Failure(description: "no Chromium is installed") }
        profile = try TemporaryFolder()
        let (commands, answers) = (Pipe(), Pipe())
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // `--remote-debugging-pipe` reads descriptor 3 and writes 4. High copies first: one of the pipes may be 3 or 4.
        let input = fcntl(commands.fileHandleForReading.fileDescriptor, F_DUPFD, 64)
        let output = fcntl(answers.fileHandleForWriting.fileDescriptor, F_DUPFD, 64)
        posix_spawn_file_actions_adddup2(&actions, input, 3)
        posix_spawn_file_actions_adddup2(&actions, output, 4)
        for descriptor in [input, output] { posix_spawn_file_actions_addclose(&actions, descriptor) }
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        let arguments = [
            executable, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--user-data-dir=\(profile.url.path)", "--remote-debugging-pipe", "about:blank",
        ]
        var words = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var child: pid_t = 0
        let status = posix_spawn(&child, executable, &actions, nil, &words, environ)
        for descriptor in [input, output] { close(descriptor) }
        guard status == 0 else { throw Failure(description: "Chromium did not start: \(status)") }
        process = child
        toBrowser = commands.fileHandleForWriting
        fromBrowser = answers.fileHandleForReading
        try answers.fileHandleForWriting.close()
        let target = try send("Target.createTarget", ["url": "about:blank"])["targetId"] ?? ""
        session = try send("Target.attachToTarget", ["targetId": target, "flatten": true])["sessionId"] as? String
        for domain in ["Runtime", "Page", "Log"] { _ = try send("\(domain).enable") }
    }

    deinit {
        kill(process, SIGKILL)
        var status: Int32 = 0
        waitpid(process, &status, 0)
    }

    /// Opens a page in a window of that size and waits until it is loaded.
    func open(_ page: URL, width: Int = 1200, height: Int = 900, isDark: Bool = false) throws {
        errors = []
        _ = try send(
            "Emulation.setDeviceMetricsOverride",
            ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": false])
        _ = try send(
            "Emulation.setEmulatedMedia",
            ["features": [["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"]]])
        _ = try send("Page.navigate", ["url": page.absoluteString])
        while try receive()["method"] as? String != "Page.loadEventFired" {}
    }

    /// The value of a JavaScript expression, as JSON gives it; a promise is awaited.
    @discardableResult
    func evaluate(_ expression: String) throws -> Any? {
        let answer = try send(
            "Runtime.evaluate", ["expression": expression, "returnByValue": true, "awaitPromise": true])
        if let exception = answer["exceptionDetails"] as? [String: Any] { errors.append(Self.text(of: exception)) }
        return (answer["result"] as? [String: Any])?["value"]
    }

    /// The page as a PNG file, as wide as its window and as high as its content.
    func screenshot(to file: URL) throws {
        let answer = try send("Page.captureScreenshot", ["captureBeyondViewport": true])
        try Data(base64Encoded: answer["data"] as? String ?? "")?.write(to: file)
    }

    private func send(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
        lastID += 1
        let id = lastID
        var message: [String: Any] = ["id": id, "method": method, "params": parameters]
        message["sessionId"] = session
        try toBrowser.write(contentsOf: JSONSerialization.data(withJSONObject: message) + [0])
        while true {
            let answer = try receive()
            guard answer["id"] as? Int == id else { continue }
            guard let result = answer["result"] as? [String: Any] else {
                throw Failure(description: "\(method): \(answer["error"] ?? "no result")")
            }
            return result
        }
    }

    /// The next message; exceptions and console errors are noted on the way.
    private func receive() throws -> [String: Any] {
        while true {
            if let end = buffer.firstIndex(of: 0) {
                let message = buffer[..<end]
                buffer = Data(buffer[(end + 1)...])
                let value = try JSONSerialization.jsonObject(with: message) as? [String: Any] ?? [:]
                note(value)
                return value
            }
            let more = fromBrowser.availableData
            guard !more.isEmpty else { throw Failure(description: "Chromium ended") }
            buffer += more
        }
    }

    private func note(_ event: [String: Any]) {
        let parameters = event["params"] as? [String: Any] ?? [:]
        switch event["method"] as? String {
        case "Runtime.exceptionThrown":
            errors.append(Self.text(of: parameters["exceptionDetails"] as? [String: Any] ?? [:]))
        case "Runtime.consoleAPICalled" where parameters["type"] as? String == "error":
            errors.append("console: \(parameters["args"] ?? "")")
        case "Log.entryAdded":
            let entry = parameters["entry"] as? [String: Any] ?? [:]
            if entry["level"] as? String == "error" { errors.append("log: \(entry["text"] ?? "")") }
        default: break
        }
    }

    private static func text(of exception: [String: Any]) -> String {
        let thrown = exception["exception"] as? [String: Any]
        return thrown?["description"] as? String ?? exception["text"] as? String ?? "exception"
    }
}
