import Foundation
import Testing

/// A `gameprof live` that serves its page.
final class LiveTool {
    let process = Process()
    /// The address of the page.
    let address: URL
    private let said = Pipe()
    private let printed = Pipe()
    private let text = Locked("")

    struct NotServing: Error { var said: String }

    init(_ arguments: [String], in folder: TemporaryFolder, input: FileHandle = .nullDevice) throws {
        process.executableURL = Products.gameprof
        process.arguments = ["live"] + arguments
        process.currentDirectoryURL = folder.url
        process.environment = Command.environment(ProcessInfo.processInfo.environment, adding: [:])
        process.standardInput = input
        process.standardOutput = printed
        process.standardError = said
        try Self.run(process)
        var first = ""
        while !first.hasSuffix("\n"), let byte = try said.fileHandleForReading.read(upToCount: 1), !byte.isEmpty {
            first += String(decoding: byte, as: UTF8.self)
        }
        let words = first.split(whereSeparator: \.isWhitespace)
        guard first.hasPrefix("gameprof: The page is at http://127.0.0.1:"), let address = words.last.map(String.init),
            let url = URL(string: address)
        else {
            process.terminate()
            throw NotServing(said: first)
        }
        self.address = url
        said.fileHandleForReading.readabilityHandler = { [text] in
            let more = String(decoding: $0.availableData, as: UTF8.self)
            text.change { $0 += more }
        }
    }

    /// Threads of the test block SIGTERM, and the program would inherit that.
    private static func run(_ process: Process) throws {
        var (none, before) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try process.run()
    }

    /// Asks it to end, and with it the program.
    deinit {
        process.terminate()
        process.waitUntilExit()
    }

    /// What it has said on standard error behind the address.
    var errors: String { text.value }

    var served: ServedAddress { .port(UInt16(address.port ?? 0)) }

    /// The answer to the page's question; nil: there is none.
    func data() throws -> [String: Any]? {
        guard let answer = served.get(address.path + "/data?run=0&since=0"), answer.status == 200 else { return nil }
        return try JSONSerialization.jsonObject(with: answer.body) as? [String: Any]
    }

    /// Waits until what the page is told is so.
    func wait(_ what: String, until isSo: ([String: Any]) throws -> Bool) throws {
        for _ in 0..<600 {
            if let data = try data(), try isSo(data) { return }
            usleep(100_000)
        }
        Issue.record("\(what): \(errors)")
    }

    func press(_ button: String) -> Int? {
        served.send("POST \(address.path)/action/\(button) HTTP/1.1\r\nHost: localhost\r\n\r\n")?.status
    }

    /// Waits for its end. What the program printed, and the tool's status.
    func end() throws -> (output: String, status: Int32) {
        let rest = try printed.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (String(decoding: rest, as: UTF8.self), process.terminationStatus)
    }
}

/// A value that several threads use.
final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var content: Value

    init(_ value: Value) { content = value }

    var value: Value { lock.withLock { content } }

    func change(_ body: (inout Value) -> Void) { lock.withLock { body(&content) } }
}

@Suite(.serialized) struct LiveTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func moment(_ data: [String: Any]) -> [String: Any] { data["moment"] as? [String: Any] ?? [:] }

    private func track(_ id: String, of data: [String: Any]) -> [Double] {
        let tracks = moment(data)["tracks"] as? [[String: Any]] ?? []
        return tracks.first { $0["id"] as? String == id }?["values"] as? [Double] ?? []
    }

    @Test func `the figures of a running game grow, and every button works`() throws {
        let tool = try LiveTool(
            ["--html", "live.html", "--", Products.animatedGame.path, "3600"], in: folder)
        try tool.wait("frames") { track("frames frame", of: $0).count { $0 > 0 } > 8 }
        let data = try #require(try tool.data())
        #expect(data["state"] as? String == "running")
        // The names cover the last seconds: on a busy machine the decoding thread may have had no processor in them.
        func names(_ key: String, of data: [String: Any]) -> Set<String> {
            Set((moment(data)[key] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String })
        }
        for id in ["resident", "live", "allocations"] {
            try tool.wait(id) { track(id, of: $0).contains { $0 > 0 } }
        }
        try tool.wait("the tracks") {
            names("tracks", of: $0).isSuperset(of: ["CPU: main", "CPU: thread 2", "frames"])
        }
        try tool.wait("decoding among the functions") { data in
            names("functions", of: data).contains { $0.contains("PictureLoader.decode(") }
        }
        try tool.wait("the intervals") {
            names("intervals", of: $0).isSuperset(of: ["draw", "simulate", "present", "decode"])
        }
        for button in ["snapshot", "mark", "warning"] { #expect(tool.press(button) == 200, "\(button)") }
        func snapshots(_ data: [String: Any]) -> [[String: Any]] {
            moment(data)["snapshots"] as? [[String: Any]] ?? []
        }
        try tool.wait("a snapshot") { snapshots($0).count == 1 }
        #expect(tool.press("leaks") == 200)
        try tool.wait("leaks") { snapshots($0).count == 2 }
        let looks = snapshots(try #require(try tool.data()))
        #expect(looks[0]["findings"] == nil && looks[1]["findings"] != nil && looks.allSatisfy { $0["problem"] == nil })
        #expect(looks.allSatisfy { $0["blocks"] as? Int ?? 0 > 100 })
        try tool.wait("marks") { data in
            let marks = (moment(data)["marks"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
            return marks.contains("live") && marks.contains("memory warning")
        }
        #expect(tool.press("quit") == 409, "it is for the end")
        #expect(tool.press("stop") == 200)
        try tool.wait("the end") { $0["state"] as? String == "ended" }
        let page = try #require(tool.served.get(tool.address.path + "/report/1"))
        let written = try String(contentsOf: folder.url.appending(path: "live.html"), encoding: .utf8)
        #expect(page.status == 200 && page.text == written)
        #expect(page.text.contains("AnimatedGame") && page.text.contains("id=\"frames\""))
        #expect(tool.press("quit") == 200)
        #expect(try tool.end().status == 0, "\(tool.errors)")
    }

    @Test func `a program recorded again keeps the former run for a comparison`() throws {
        let tool = try LiveTool(
            ["--output", "a.gptrace", "--", Products.animatedGame.path, "3600"], in: folder)
        try tool.wait("frames") { track("frames frame", of: $0).contains { $0 > 0 } }
        #expect(tool.press("again") == 200)
        try tool.wait("the second run") { $0["run"] as? Int == 2 && track("frames frame", of: $0).contains { $0 > 0 } }
        #expect(tool.press("stop") == 200)
        try tool.wait("the end") { $0["state"] as? String == "ended" }
        let data = try #require(try tool.data())
        #expect(data["reports"] as? [Int] == [1, 2] && data["comparison"] as? Bool == true)
        for page in ["report/1", "report/2", "comparison/2"] {
            #expect(tool.served.get("\(tool.address.path)/\(page)")?.status == 200, "\(page)")
        }
        tool.process.interrupt()
        #expect(try tool.end().status == 0, "\(tool.errors)")
        for trace in ["a.gptrace", "a.2.gptrace"] {
            #expect(FileManager.default.fileExists(atPath: folder.url.appending(path: trace).path), "\(trace)")
        }
    }

    @Test func `the program keeps its input, output and exit status, and the tool ends with it`() throws {
        let input = Pipe()
        let tool = try LiveTool(
            ["--once", "--propagate-exit", "--", "/bin/sh", "-c", "read line; echo \"got $line\"; exit 7"],
            in: folder, input: input.fileHandleForReading)
        try input.fileHandleForWriting.write(contentsOf: Data("a word\n".utf8))
        let end = try tool.end()
        #expect(end.output == "got a word\n" && end.status == 7, "\(tool.errors)")
        #expect(FileManager.default.fileExists(atPath: folder.url.appending(path: "Reports/sh-live.html").path))
    }

    @Test func `SIGTERM ends the program and the tool`() throws {
        let tool = try LiveTool(["--", Products.animatedGame.path, "3600"], in: folder)
        try tool.wait("frames") { track("frames frame", of: $0).contains { $0 > 0 } }
        tool.process.terminate()
        #expect(try tool.end().status == 0, "\(tool.errors)")
    }

    @Test func `garbage disturbs neither the page nor the program`() throws {
        let tool = try LiveTool(["--once", "--", Products.animatedGame.path, "600"], in: folder)
        var random = SystemRandomNumberGenerator()
        let path = tool.address.path
        let requests = [
            "\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "GET \(path)/ HTTP/1.1\r\nHost: attacker.example\r\n\r\n",
            "POST \(path)/action/stop HTTP/1.1\r\nHost: localhost\r\nOrigin: http://attacker.example\r\n\r\n",
            "POST \(path)/action/stop HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site\r\n\r\n",
            "POST \(path)x/action/stop HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "DELETE \(path)/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET /" + String(repeating: "a", count: 20_000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n",
        ]
        for _ in 0..<20 {
            for request in requests {
                #expect(tool.served.send(request)?.status ?? 400 >= 400, "\(request.prefix(80))")
            }
            // Whoever says nothing more keeps nobody from an answer.
            guard let idle = tool.served.connect() else { continue }
            defer { close(idle) }
            let bytes = (0..<500).map { _ in UInt8.random(in: 0...255, using: &random) }
            _ = send(idle, bytes, bytes.count, 0x4000)
        }
        #expect(try tool.data() != nil)
        let end = try tool.end()
        #expect(end.output.hasPrefix("600 frames, ") && end.status == 0, "\(tool.errors)")
    }

    @Test func `a process with a dormant recorder is shown, and recorded again`() throws {
        let program = try WaitingProgram(
            Products.gameprof,
            [
                "record", "--dormant", "--",
                try SwiftProgram.compile(files: ["Attached.swift"], module: "Attached", build: .optimised).path,
            ])
        let tool = try LiveTool(["--pid", program.pid], in: folder)
        for run in 1...2 {
            try tool.wait("allocations") { data in
                data["run"] as? Int == run && track("allocations", of: data).count { $0 > 0 } > 4
            }
            let data = try #require(try tool.data())
            #expect(data["actions"] as? [String] == ["mark", "warning", "stop", "again"])
            for button in ["mark", "warning"] { #expect(tool.press(button) == 200) }
            try tool.wait("marks") { (moment($0)["marks"] as? [[String: Any]] ?? []).count == 3 }
            #expect(tool.press(run == 1 ? "again" : "stop") == 200)
        }
        try tool.wait("the end") { $0["state"] as? String == "ended" && $0["comparison"] as? Bool == true }
        #expect(program.process.isRunning)
        tool.process.interrupt()
        #expect(try tool.end().status == 0, "\(tool.errors)")
        #expect(try program.finish() == "done\n")
    }

    @Test func `what cannot be shown is said before the program runs`() throws {
        func refusal(_ arguments: [String]) throws -> String {
            let run = try Command.run(Products.gameprof, ["live"] + arguments, directory: folder.url)
            #expect(run.status == 2 || run.status == 3, "\(arguments): \(run.status)")
            return run.error
        }
        #expect(try refusal([]).contains("Name the program to record."))
        #expect(try refusal(["--instruments", "zombies", "--", "/bin/true"]).contains("gameprof zombies"))
        #expect(try refusal(["--pid", "\(getpid())"]).contains("--dormant"))
        #expect(try refusal(["--pid", "1", "--", "/bin/true"]).contains("name no program"))
        #expect(try refusal(["--", "/nonexistent/program"]).contains("/nonexistent/program"))
        #expect(
            try refusal(["--html", "/nonexistent/folder/a.html", "--", "/bin/true"]).contains("/nonexistent/folder"))
    }
}

/// The page of a running game in a real browser.
@Suite(.enabled(if: Browser.isInstalled), .serialized) struct LivePageTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let helpers = """
        window.until = async (isSo) => { for (let i = 0; i < 600 && !isSo(); i += 1) await new Promise((done) => setTimeout(done, 100)); return isSo(); };
        window.press = (action) => document.querySelector(`[data-action=${action}]`).click();
        window.figure = (name) => [...document.querySelectorAll("#figures div")].find((one) => one.firstChild.textContent === name);
        window.inked = () => { const canvas = document.querySelector("#live canvas"), all = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data; let count = 0; for (let i = 3; i < all.length; i += 4) if (all[i]) count += 1; return count; };
        """

    private func isSo(_ browser: Browser, _ condition: String) throws -> Bool {
        try browser.evaluate("until(() => !!(\(condition)))") as? Bool ?? false
    }

    @Test func `tracks grow, each button works, the end shows the report, and a second run is compared`() throws {
        let tool = try LiveTool(["--", Products.animatedGame.path, "3600"], in: folder)
        let browser = try Browser()
        try browser.open(tool.address)
        try browser.evaluate(Self.helpers)
        #expect(try isSo(browser, "figure('frames a second') && figure('live memory')"))
        #expect(try isSo(browser, "document.querySelectorAll('#names div').length >= 5"))
        let before = try #require(browser.evaluate("document.querySelector('#live canvas').width && inked()") as? Int)
        #expect(try isSo(browser, "inked() !== \(before)"))
        #expect(try isSo(browser, "document.querySelectorAll('#functions tbody tr').length > 3"))
        try browser.evaluate("press('snapshot')")
        #expect(try isSo(browser, "document.querySelectorAll('.look').length === 1"))
        try browser.evaluate("press('leaks')")
        #expect(
            try isSo(
                browser,
                "document.querySelectorAll('.look').length === 2 && document.querySelector('.look').childElementCount === 2"
            ))
        try browser.evaluate("press('mark')")
        try browser.evaluate("press('warning')")
        #expect(try isSo(browser, "[...document.querySelectorAll('#names div')].some((one) => one.title === 'marks')"))
        try browser.evaluate("document.getElementById('recent').click()")
        try browser.evaluate(
            "document.querySelector('#live canvas').dispatchEvent(new MouseEvent('mousemove', { clientX: 300 }))")
        #expect(try isSo(browser, "document.getElementById('at').textContent.includes('resident memory')"))
        try browser.evaluate("press('again')")
        #expect(
            try isSo(
                browser,
                "document.getElementById('state').textContent === 'Running' && document.querySelectorAll('.look').length === 0"
            ))
        #expect(try isSo(browser, "figure('frames a second')"))
        try browser.evaluate("press('stop')")
        #expect(try isSo(browser, "document.body.dataset.state === 'ended'"))
        let frame = "document.getElementById('page').contentDocument"
        #expect(try isSo(browser, "\(frame)?.getElementById('frames')"))
        let tabs = try browser.evaluate("[...document.querySelectorAll('#pages button')].map((one) => one.textContent)")
        #expect(tabs as? [String] == ["Run 1", "Run 2", "Run 1 and 2 compared"])
        try browser.evaluate("document.querySelectorAll('#pages button')[2].click()")
        #expect(try isSo(browser, "\(frame)?.body?.textContent.includes('gameprof diff')"))
        try browser.evaluate("press('quit')")
        #expect(try tool.end().status == 0, "\(tool.errors)")
        #expect(browser.errors.allSatisfy { $0.contains("ERR_CONNECTION_REFUSED") }, "\(browser.errors)")
    }

    @Test(arguments: [(420, false), (1280, true)])
    func `the page is no wider than its window`(width: Int, isDark: Bool) throws {
        let tool = try LiveTool(["--", Products.animatedGame.path, "3600"], in: folder)
        let browser = try Browser()
        try browser.open(tool.address, width: width, isDark: isDark)
        try browser.evaluate(Self.helpers)
        #expect(try isSo(browser, "document.querySelectorAll('#functions tbody tr').length > 3"))
        #expect(try #require(browser.evaluate("document.documentElement.scrollWidth") as? Int) <= width)
        #expect(browser.errors == [])
    }
}
