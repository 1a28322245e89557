import Foundation
import RecorderLibrary
import Testing

@testable import GameprofAnalysis
@testable import GameprofTrace

/// What was not measured is not reported as passed, and what was recorded is kept: however the program, the tool or the
/// disk came to its end.
@Suite struct EndingTests {
    private let folder: TemporaryFolder
    private let program: URL

    init() throws {
        folder = try TemporaryFolder()
        program = try CProgram.compile("Endings.c", name: "endings")
    }

    private func gameprof(_ arguments: [String], environment: [String: String?] = [:]) throws -> CommandResult {
        try Command.run(Products.gameprof, arguments, environment: environment, directory: folder.url)
    }

    private func shell(_ line: String, environment: [String: String?] = [:]) throws -> CommandResult {
        try Command.run(
            URL(filePath: "/bin/bash"), ["-c", line],
            environment: ["TOOL": Products.gameprof.path, "PROGRAM": program.path].merging(environment) { $1 },
            directory: folder.url)
    }

    /// The text of an error report, in which lines are wrapped, as one line.
    private func words(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test(
        "a program that did not come to its exit gets a reason, what was covered and what to do",
        arguments: [
            ("-9", "The program was ended by signal 9 (Killed): the recording covers the"),
            ("-10", "The program was ended by signal 10 (User defined signal 1): the recording covers the"),
            ("exit_group", "The program ended by a system call (exit_group) without exit(): the recording covers the"),
        ])
    func reason(how: String, sentence: String) throws {
        for instrument in ["leaks", "zombies", "allocations", "time"] {
            let result = try gameprof([instrument, "--json", "r.json", "--", program.path, how])
            #expect(result.status == 4, "\(instrument)")
            #expect(words(result.error).contains(sentence), "\(result.error)")
            #expect(!result.error.contains("nothing found"), "\(result.error)")
            let advice = "Leaks were not searched for. The search runs when the program ends by exit()"
            #expect(words(result.error).contains(advice) == (instrument == "leaks"), "\(result.error)")
        }
        #expect(try gameprof(["record", "--quiet", "-o", "t.gptrace", "--", program.path, how]).status == 4)
    }

    @Test(
        "a check says of a program that did not come to its exit that leaks were not measured",
        arguments: ["-10", "exit_group"])
    func check(how: String) throws {
        let result = try gameprof(["check", "--junit", "r.xml", "--", program.path, how])
        #expect(result.status == 4)
        #expect(result.error.contains("leaks  not measured") && !result.error.contains("✓"), "\(result.error)")
        let xml = try String(contentsOf: folder.url.appending(path: "r.xml"), encoding: .utf8)
        #expect(xml.contains("failures=\"3\"") && xml.contains("leaks was not measured"), "\(xml)")
    }

    @Test(
        "SIGINT, SIGTERM and SIGHUP end a program without a handler as ever, after the leaks were searched for",
        arguments: [2, 15, 1], ["plain", "ask", "child", "allocate"])
    func request(signal: Int32, way: String) throws {
        let terminated = try CProgram.compile("Terminated.c")
        let alone = try Command.run(terminated, [way, "\(signal)"])
        #expect(alone.status == -signal)
        let result = try gameprof(["leaks", "--json", "r.json", "--", terminated.path, way, "\(signal)"])
        #expect(result.output == alone.output)
        #expect(result.status == 1, "\(result.error)")
        #expect(words(result.error).contains("the recording covers the"), "\(result.error)")
        #expect(words(result.error).contains("Leaks were searched for when the signal arrived"), "\(result.error)")
        let report = try Report(json: folder.url.appending(path: "r.json"))
        #expect(report.target.exit?.signal == Int(signal) && report.errors.map(\.bytes) == [4321])
    }

    /// A symbolizer that first sends the tool SIGTERM: it runs several times while the tool analyses.
    private func symbolizer(sendsOnce: Bool) throws -> String {
        let toolchain = try #require(SymbolizerLocator.find()).path
        let script = folder.url.appending(path: "symbolizer")
        let line = (sendsOnce ? "mkdir \"$0.sent\" 2>/dev/null && " : "") + "kill -TERM $PPID"
        try Data("#!/bin/sh\n\(line)\nexec '\(toolchain)' \"$@\"\n".utf8).write(to: script)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script.path)
        return script.path
    }

    @Test("a signal while gameprof analyses does not cost the report")
    func signalWhileAnalysing() throws {
        let lab = Products.GameLabBuild.release.executable.path
        let result = try gameprof(
            ["leaks", "--json", "r.json", "--", lab, "fault", "undo-cycle"],
            environment: ["GAMEPROF_SYMBOLIZER": try symbolizer(sendsOnce: true)])
        #expect(result.status == 1, "\(result.error)")
        #expect(result.error.contains("a second signal stops that"), "\(result.error)")
        let report = try Report(json: folder.url.appending(path: "r.json"))
        #expect(report.errors.first?.allocatedBy?.frames.contains { $0.line != nil } == true)
    }

    @Test("a second signal ends gameprof, and the trace is kept where it says")
    func secondSignalWhileAnalysing() throws {
        let lab = Products.GameLabBuild.release.executable.path
        let result = try gameprof(
            ["leaks", "--json", "r.json", "--", lab, "fault", "undo-cycle"],
            environment: ["GAMEPROF_SYMBOLIZER": try symbolizer(sendsOnce: false), "TMPDIR": folder.url.path])
        #expect(result.status == -SIGTERM, "\(result.error)")
        let command = try #require(result.error.firstMatch(of: /gameprof report (\S+)/)?.output.1)
        // The next recording clears away what killed tools left.
        _ = try gameprof(
            ["leaks", "--quiet", "--json", "n.json", "--", "/bin/true"], environment: ["TMPDIR": folder.url.path])
        let again = try gameprof(["report", String(command), "--json", "again.json"])
        #expect(again.status == 1, "\(again.error)")
        #expect(try Report(json: folder.url.appending(path: "again.json")).errors.map(\.kind) == [.retainCycle])
    }

    @Test("a result into a FIFO that nobody reads does not swallow the signal that ends gameprof")
    func unreadResult() throws {
        let script = """
            mkfifo r.json said; '\(Products.gameprof.path)' leaks --json r.json -- /bin/true 2>said &
            { read -r line; kill -TERM $!; cat >rest; } <said; wait $!; status=$?; cat rest; exit $status
            """
        let result = try Command.run(URL(filePath: "/bin/sh"), ["-c", script], directory: folder.url)
        #expect(
            result.status == 128 + SIGTERM || result.status == 4 && result.output.contains("no process reads from it"))
    }

    @Test("a result of which a reader takes nothing does not swallow the signal that ends gameprof")
    func heldResult() throws {
        let fifo = folder.url.appending(path: "r.json").path
        try #require(mkfifo(fifo, 0o600) == 0)
        let reader = open(fifo, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let setSize: Int32 = 1031  // F_SETPIPE_SZ
        try #require(fcntl(reader, setSize, 4_096) == 4_096)
        let process = Process()
        process.executableURL = Products.gameprof
        process.arguments = ["allocations", "--quiet", "--json", fifo, "--", "/bin/ls", folder.url.path]
        try process.run()
        var room = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
        #expect(poll(&room, 1, -1) == 1)
        process.terminate()
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGTERM)
    }

    @Test("a program that survives its abort is recorded on, within the limits and to its end")
    func survived() throws {
        let survivor = try CProgram.compile("Survived.c").path
        let files = try gameprof(["files", "--json", "r.json", "--", survivor])
        #expect(files.output == "survived\n" && files.status == 0, "\(files.error)")
        let report = try Report(json: folder.url.appending(path: "r.json"))
        #expect(report.files?.neverClosed.isEmpty == true && report.findings.isEmpty)
        let limited = try gameprof(["record", "--max-trace-size", "1M", "-o", "t.gptrace", "--", survivor])
        #expect(limited.output == "survived\n")
        _ = try gameprof(["report", "t.gptrace", "--json", "r.json"])
        #expect(try Report(json: folder.url.appending(path: "r.json")).capture.dropped > 0)
    }

    @Test("a program's own answer to SIGTERM stays its own", arguments: [("handle", 7), ("ignore", 0)])
    func ownAnswer(way: String, code: Int) throws {
        let terminated = try CProgram.compile("Terminated.c").path
        let result = try gameprof(["leaks", "--json", "r.json", "--", terminated, way, "15"])
        #expect(result.status == 1, "\(result.error)")
        let report = try Report(json: folder.url.appending(path: "r.json"))
        #expect(report.target.exit?.code == code && report.errors.map(\.bytes) == [4321])
    }

    @Test("a second signal gives the search up, and the report says so")
    func impatience() throws {
        let terminated = try CProgram.compile("Terminated.c").path
        let result = try gameprof(["leaks", "--json", "r.json", "--", terminated, "insist", "2"])
        #expect(result.status == 4, "\(result.error)")
        #expect(words(result.error).contains("Leaks were not searched for"), "\(result.error)")
        #expect(try Report(json: folder.url.appending(path: "r.json")).target.exit?.signal == 2)
    }

    @Test("a program that was asked to end and has lost nothing ends with 0 for the tool")
    func requestWithoutLeak() throws {
        for instrument in ["leaks", "zombies", "allocations", "time"] {
            let result = try gameprof([instrument, "--json", "r.json", "--", program.path, "-15"])
            #expect(result.status == 0, "\(instrument): \(result.error)")
            #expect(words(result.error).contains("ended by signal 15 (Terminated): the recording covers"))
        }
    }

    @Test("the program's exit status is propagated where nothing could be recorded")
    func propagation() throws {
        let other = try CProgram.compile("OtherMalloc.c", name: "othermalloc").path
        for command in [["leaks", "--quiet"], ["record", "--quiet", "-o", "t.gptrace"]] {
            let result = try gameprof(command + ["--propagate-exit", "--", other])
            #expect(result.status == 0)
            #expect(result.error.contains("Nothing was recorded."))
        }
        let result = try gameprof([
            "leaks", "--json", "/dev/full", "--quiet", "--propagate-exit", "/bin/sh", "-c", "exit 9",
        ])
        #expect(result.status == 9)
    }

    @Test("a killed gameprof ends the recording soon, and the program runs on")
    func killedTool() throws {
        let line = """
            mkfifo in out
            "$TOOL" leaks --quiet --json r.json -- "$PROGRAM" wait <in >out 2>errors &
            tool=$!
            exec 3>in 4<out
            read -r -u 4 line && echo "$line"
            kill -KILL $tool; wait $tool 2>/dev/null
            echo >&3
            cat <&4
            rm in out errors
            """
        let run = try shell(line, environment: ["TMPDIR": folder.url.path])
        #expect(run.output == "ready\ndone\n", "\(run.error)")

        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
        let trace = try #require(names.first { $0.hasSuffix(".gptrace") })
        let path = folder.url.appending(path: trace).path
        let bytes = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? .max
        #expect(bytes < 8 << 20, "all events would take 250 MB")
        let report = try gameprof(["report", "--text", path])
        #expect(report.status == 4)
        #expect(words(report.output).contains("gameprof ended before the program: what happened afterwards was not"))
        // The next gameprof clears the folder up.
        _ = try gameprof(["leaks", "--json", "r.json", "--", "/bin/true"], environment: ["TMPDIR": folder.url.path])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["r.json"])
    }

    @Test("a killed gameprof ends sampling too")
    func killedToolOfSamples() throws {
        let line = """
            mkfifo in out
            "$TOOL" record --instruments time,allocations --source timer --quiet -- "$PROGRAM" sampled <in >out 2>errors &
            tool=$!
            exec 3>in 4<out
            read -r -u 4 line
            kill -KILL $tool; wait $tool 2>/dev/null
            echo >&3
            cat <&4
            """
        let run = try shell(line, environment: ["TMPDIR": folder.url.path])
        #expect(run.output == "done\ndisarmed\n", "\(run.error)")
    }

    @Test("what starts after gameprof has ended is not recorded and leaves no files")
    func lateProgram() throws {
        let line = """
            mkfifo go ended
            "$TOOL" leaks --quiet --json r.json -- \
                sh -c '(read x <go; "$0" many; echo ended >ended) >/dev/null 2>&1 & exit 0' "$PROGRAM"
            echo >go
            cat ended
            rm go ended
            """
        let run = try shell(line, environment: ["TMPDIR": folder.url.path])
        #expect(run.output == "ended\n", "\(run.error)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["r.json"])
    }

    @Test("what a gameprof that was killed while it read a recording has left is removed by the next")
    func killedReader() throws {
        let line = """
            mkfifo report
            "$TOOL" leaks --json report -- "$PROGRAM" >/dev/null 2>&1 &
            tool=$!
            until find . -name '*.finished' | grep -q .; do sleep 0.01; done
            kill -KILL $tool; wait $tool 2>/dev/null
            find . | grep -c finished
            rm report
            "$TOOL" record --quiet --output t.gptrace -- /bin/true
            """
        let run = try shell(line, environment: ["TMPDIR": folder.url.path])
        #expect(run.output != "0\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["t.gptrace"], "\(run.error)")
    }

    /// Takes every lock of a recording that is not held, as a tool does that clears up after killed ones. How many there were.
    private static func takeFreeLocks(below folder: URL) -> Int {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (files?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "tool" }.count { file in
            let descriptor = open(file.path, O_RDWR | O_CLOEXEC)
            defer { close(descriptor) }
            var lock = flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
            let setLock: Int32 = 37  // F_OFD_SETLK
            return descriptor >= 0 && fcntl(descriptor, setLock, &lock) == 0 && access(file.path, F_OK) == 0
        }
    }

    @Test("a recording is never seen as that of a killed gameprof while it begins")
    func beginning() throws {
        let command = Process()
        command.executableURL = URL(filePath: "/bin/bash")
        let line = "for i in $(seq 40); do '\(Products.gameprof.path)' record --quiet -o t -- /bin/true; done"
        command.arguments = ["-c", line]
        command.currentDirectoryURL = folder.url
        try command.run()
        defer { command.terminate() }
        var free = 0
        while command.isRunning { free += Self.takeFreeLocks(below: folder.url) }
        #expect(free == 0)
    }

    /// Runs the program with the recorder preloaded and nobody who waits for the trace.
    private func preloaded(_ mode: String, limits: String = "", variables: String) throws -> CommandResult {
        let library = try #require(RecorderLibrary.url).path
        return try shell(
            "\(limits) GAMEPROF_TRACE=t.gptrace \(variables) LD_PRELOAD='\(library)' \"$PROGRAM\" \(mode); stat -c %s t.gptrace; ls"
        )
    }

    @Test("snapshots while the program runs keep to the maximum size of the trace")
    func snapshotsAtMaximumSize() throws {
        let run = try preloaded(
            "rest",
            variables: "GAMEPROF_INSTRUMENTS=leaks GAMEPROF_MAX_TRACE_SIZE=256K GAMEPROF_SNAPSHOTS='every=10'")
        let bytes = try #require(run.output.split(separator: "\n").first.flatMap { Int($0) })
        #expect(bytes <= 640 << 10, "each snapshot takes a chunk of 64 KiB, that at the end too")
    }

    @Test("a file size limit that lies behind the last event costs nothing")
    func limitBehindTheTrace() throws {
        let variables = "GAMEPROF_INSTRUMENTS=allocations"
        // The file grows by chunks, and one run may need a little more than another: the limit lies in the last chunk of the largest.
        let bytes =
            try (0..<5).compactMap { _ in
                try preloaded("some", variables: variables).output.split(separator: "\n").first.flatMap { Int($0) }
            }.max() ?? 0
        #expect(bytes > 512 << 10)
        let run = try preloaded("some", limits: "ulimit -f \(bytes / 1024 - 1);", variables: variables)
        let limited = try #require(run.output.split(separator: "\n").first.flatMap { Int($0) })
        #expect(limited < bytes)
        #expect(!run.output.contains("spool"))
        let report = try gameprof(["report", "--text", "t.gptrace"])
        #expect(report.status == 0, "\(report.error) \(report.output)")
        #expect(!report.output.contains("ulimit"))
    }

    @Test("a trace at its maximum size is reported, and leaks are searched for all the same")
    func maximumSize() throws {
        let result = try gameprof(
            ["leaks", "--max-trace-size", "1M", "--json", "r.json", "--", program.path, "many"])
        #expect(result.status == 4)
        #expect(
            words(result.error).contains("The trace reached its maximum size (--max-trace-size)"), "\(result.error)")
        #expect(result.error.contains("No leaks among"))
        #expect(!result.error.contains("Grows"))
        #expect(try gameprof(["leaks", "--max-trace-size", "much", "--", "/bin/true"]).status == 2)
    }

    @Test("a file size limit on the tool itself costs what lies beyond it and no more")
    func fileSizeLimit() throws {
        let result = try shell("ulimit -f 300; exec \"$TOOL\" leaks --json r.json -- \"$PROGRAM\" many")
        #expect(result.status == 4)
        #expect(words(result.error).contains("The trace reached the limit on file size (ulimit -f)"), "\(result.error)")
        #expect(result.error.contains("endings many"))
        let behind = try shell("\"$TOOL\" leaks --json r.json -- bash -c 'ulimit -f 20; exec \"$PROGRAM\" many'")
        #expect(behind.status == 4)
        #expect(
            behind.error.contains(
                "Nothing was recorded. The trace file cannot be written: the limit on file size is too small"),
            "\(behind.error)")
    }

    /// Whether this machine lets a test mount a small disk of its own.
    static let canMount =
        (try? Command.run(URL(filePath: "/bin/sh"), ["-c", "unshare -rm mount -t tmpfs none /mnt"]).status) == 0

    @Test("what fits on a full disk is kept and reported", .enabled(if: canMount))
    func fullDisk() throws {
        let line = """
            mkdir disk; mount -t tmpfs -o size=2m none disk; cd disk
            "$TOOL" leaks -o t.gptrace --json r.json -- "$PROGRAM" many; echo "status $?"
            "$TOOL" report t.gptrace --text; echo "status $?"
            rm -f *; dd if=/dev/zero of=all bs=4096 2>/dev/null
            "$TOOL" leaks -o t.gptrace --json r.json -- "$PROGRAM" many; echo "status $?"
            """
        let result = try Command.run(
            URL(filePath: "/usr/bin/unshare"), ["-rm", "bash", "-c", line],
            environment: ["TOOL": Products.gameprof.path, "PROGRAM": program.path], directory: folder.url)
        #expect(
            result.output.split(separator: "\n").filter { $0.hasPrefix("status") } == [
                "status 4", "status 4", "status 4",
            ])
        #expect(words(result.error).contains("The disk was full: what happened afterwards was not recorded."))
        #expect(words(result.error).contains("The part that was written is kept."))
        #expect(result.output.contains("endings many"))
        let nothing = "Nothing was recorded. The trace file cannot be written: the disk is full"
        #expect(result.error.contains(nothing), "\(result.error)")
    }

    @Test("few descriptors are enough", arguments: [7, 8, 16])
    func fewDescriptors(count: Int) throws {
        let result = try shell("ulimit -n \(count); exec \"$TOOL\" leaks --json r.json -- \"$PROGRAM\"")
        #expect(result.status == 0, "\(result.error)")
        #expect(result.error.contains("No leaks among"))
    }

    @Test("with too few descriptors to record the program runs, and a sentence says why", arguments: [4, 5])
    func tooFewDescriptors(count: Int) throws {
        let result = try shell("ulimit -n \(count); exec \"$TOOL\" leaks --json r.json -- /bin/echo runs")
        #expect(result.status == 4)
        #expect(result.output == "runs\n")
        #expect(result.error.contains("gameprof: "), "\(result.error)")
    }

    @Test("files may have names of one character")
    func shortNames() throws {
        let short = folder.url.appending(path: "p")
        try FileManager.default.copyItem(at: program, to: short)
        #expect(try gameprof(["leaks", "--json", "j", "--html", "h", "-o", "t", "--", "./p"]).status == 0)
        for arguments in [
            ["report", "t", "--json", "j", "--html", "h"], ["export", "t", "--format", "pprof", "-o", "e"],
            ["check", "t", "--junit", "u", "--sarif", "s", "--markdown", "m", "--baseline", "b", "--update-baseline"],
            ["leaks", "--follow", "--html", "h", "./p"],
        ] {
            let result = try gameprof(arguments)
            #expect(result.status == 0, "\(arguments): \(result.error)")
        }
        #expect(try gameprof(["leaks", "--json", "a/", "./p"]).status == 2)
        #expect(try gameprof(["leaks", "--json", "", "./p"]).status == 2)
    }

    @Test("the index of several processes names the command that made it")
    func index() throws {
        let line = "'\(program.path)' few; '\(program.path)' few"
        _ = try gameprof(["leaks", "--follow", "--html", "index.html", "--", "sh", "-c", line])
        let index = try String(contentsOf: folder.url.appending(path: "index.html"), encoding: .utf8)
        #expect(index.contains("Recorded processes"))
        #expect(index.contains("gameprof leaks") && !index.contains("gameprof demo"))
    }
}
