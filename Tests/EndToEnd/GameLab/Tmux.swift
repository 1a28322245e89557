import Foundation

/// A terminal with a shell, on a tmux server of its own that ends with this object.
final class Tmux {
    struct Timeout: Error, CustomStringConvertible { var description: String }

    /// The shell's working directory, removed with this object.
    let folder: URL
    private let socket = "gamelab-\(UUID().uuidString.prefix(8))"

    static let program = ["/usr/bin/tmux", "/usr/local/bin/tmux"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    static var isInstalled: Bool { program != nil }

    init(width: Int = 80, height: Int = 26) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: socket)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try run(
            "-f", "/dev/null", "new-session", "-d", "-x", "\(width)", "-y", "\(height)", "-c", folder.path,
            "bash --norc")
    }

    deinit {
        // Not kill-server: the server sends itself a signal that the test run blocks.
        _ = try? run("kill-session")
        try? FileManager.default.removeItem(at: folder)
    }

    /// Types a line.
    func type(_ line: String) throws { try run("send-keys", line, "Enter") }

    /// Presses a key.
    func send(_ key: String) throws { try run("send-keys", key) }

    /// Waits until the screen is as wanted, 20 s at most, and returns it.
    @discardableResult
    func wait(for isWanted: (String) -> Bool) throws -> String {
        var screen = ""
        for _ in 0..<200 {
            screen = try run("capture-pane", "-p")
            if isWanted(screen) { return screen }
            usleep(100_000)
        }
        throw Timeout(description: "The terminal still shows:\n\(screen)")
    }

    /// The server outlives the call that starts it, so it must not inherit pipes of tests that run at the same time.
    private static let launch = """
        for open in /proc/self/fd/*; do
            [ "${open##*/}" -gt 2 ] && eval "exec ${open##*/}>&-"
        done 2>/dev/null
        exec "$@"
        """

    @discardableResult
    private func run(_ arguments: String...) throws -> String {
        let output = folder.appending(path: ".screen")
        try Data().write(to: output)
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["-c", Self.launch, "tmux", Self.program ?? "tmux", "-L", socket] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return String(decoding: try Data(contentsOf: output), as: UTF8.self)
    }
}
