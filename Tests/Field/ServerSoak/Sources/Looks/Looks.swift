import Client
import Foundation

/// Runs the tool on a server, and compares what it answers with what the server counts.
final class Looks {
    private let server: Server
    private let tool: URL
    private let folder: URL
    private var counts: [String: Int] = [:]
    private var seconds: [String: Double] = [:]
    private(set) var complaints: [String] = []

    init(at server: Server, tool: URL, folder: URL) { (self.server, self.tool, self.folder) = (server, tool, folder) }

    /// How many looks of each kind there were, and how long one took.
    var line: String {
        counts.keys.sorted().map {
            "\(counts[$0]!) × \($0) (\(String(format: "%.2f", seconds[$0, default: 0] / Double(counts[$0]!))) s)"
        }.joined(separator: ", ") + "; wrong: \(complaints.count)"
    }

    // MARK: - Looks

    func tasks(waiting: Int, lost: Int) {
        guard let answer = json(["tasks"]) else { return }
        let groups = answer["groups"] as? [[String: Any]] ?? []
        var held = 0
        for group in groups {
            let state = group["state"] as? [String: Any] ?? [:]
            if state["name"] as? String == "waiting", state["type"] as? String == "Server.Desk" {
                held += group["count"] as? Int ?? 0
            }
        }
        expect(held == waiting, "tasks: \(held) wait for the desk, \(waiting) do")
        let never = answer["neverResuming"] as? Int
        expect(never == lost, "tasks: \(never ?? -1) never resume, \(lost) do not")
    }

    func time(naming function: String) {
        guard let answer = json(["time", "--for", "500ms"]) else { return }
        let hotspots = answer["hotspots"] as? [String: Any] ?? [:]
        let functions = hotspots["functions"] as? [[String: Any]] ?? []
        let names = functions.compactMap { $0["function"] as? String ?? $0["name"] as? String }
        expect(names.contains { $0.hasPrefix(function) }, "time: \(function) is not among \(names.prefix(5))")
    }

    func heap() {
        let before = sheets()
        guard let answer = json(["heap"]) else { return }
        let after = sheets()
        let types = (answer["liveHeap"] as? [String: Any])?["types"] as? [[String: Any]] ?? []
        let found = types.first { $0["type"] as? String == "Server.Sheet" }?["count"] as? Int ?? 0
        // Others come and go meanwhile: each of the eight clients makes or frees one at a time.
        let range = min(before, after) - 16...max(before, after) + 16
        expect(range.contains(found), "heap: \(found) sheets, the server counts \(before) before and \(after) after")
    }

    func attach() {
        let trace = folder.appending(path: "attached.gptrace").path
        let status = run(["attach", "--quiet", "--for", "200ms", "-o", trace, "\(server.number)"], kind: "attach")
        expect(status == 0, "attach: ended with \(status)")
        expect(FileManager.default.fileExists(atPath: trace), "attach: no trace")
        try? FileManager.default.removeItem(atPath: trace)
    }

    /// Kills a command, and looks for what it left in the server.
    func kill(after delay: Double, kind: Int) {
        let pid = ["--pid", "\(server.number)"]
        let trace = folder.appending(path: "killed.gptrace").path
        let commands = [
            ["tasks"] + pid, ["time", "--for", "2s"] + pid, ["heap"] + pid,
            ["attach", "-o", trace, "\(server.number)"],
        ]
        guard let process = try? start(commands[kind]) else { return }
        Thread.sleep(forTimeInterval: delay)
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        counts["killed", default: 0] += 1
        // The kernel lets the threads go when it has taken the command away.
        var threads = server.threads
        for _ in 0..<100 where threads.contains(where: { $0.tracer != "0" || "Tt".contains($0.state) }) {
            usleep(10_000)
            threads = server.threads
        }
        expect(threads.allSatisfy { $0.tracer == "0" }, "killed \(commands[kind][0]): the server is traced")
        expect(
            threads.allSatisfy { $0.state != "T" && $0.state != "t" },
            "killed \(commands[kind][0]): a thread stands still")
        try? FileManager.default.removeItem(atPath: trace)
    }

    // MARK: - Running

    private func expect(_ isRight: Bool, _ complaint: String) { if !isRight { complain(complaint) } }

    /// Prints what is wrong at once: it may last to the end of the run.
    private func complain(_ complaint: String) {
        if !complaints.contains(complaint) { print("WRONG:", complaint) }
        complaints.append(complaint)
    }

    /// Live sheets as the server counts them.
    private func sheets() -> Int {
        guard var connection = try? Connection(port: server.port),
            let text = try? connection.request("GET", "/figures").1
        else { return 0 }
        let line = text.split(separator: "\n").last { $0.hasPrefix("count Server.Sheet ") }
        return line?.split(separator: " ").last.flatMap { Int($0) } ?? 0
    }

    private func json(_ command: [String]) -> [String: Any]? {
        let file = folder.appending(path: "answer.json")
        try? FileManager.default.removeItem(at: file)
        let arguments = command + ["--json", file.path, "--pid", "\(server.number)"]
        let status = run(arguments, kind: command[0])
        let answer = (try? Data(contentsOf: file)).flatMap { try? JSONSerialization.jsonObject(with: $0) }
        // Tasks that never resume are findings.
        guard let answer = answer as? [String: Any], status == 0 || status == 1 else {
            let problems = (answer as? [String: Any])?["notes"] ?? "no answer"
            complain("\(command[0]): ended with \(status): \(problems)")
            return nil
        }
        return answer
    }

    private func start(_ arguments: [String]) throws -> Process {
        let process = Process()
        process.executableURL = tool
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    private func run(_ arguments: [String], kind: String) -> Int32 {
        let begin = Date()
        guard let process = try? start(arguments) else { return -1 }
        process.waitUntilExit()
        counts[kind, default: 0] += 1
        seconds[kind, default: 0] -= begin.timeIntervalSinceNow
        return process.terminationStatus
    }
}
