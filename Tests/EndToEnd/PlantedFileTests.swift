import Foundation
import RecorderLibrary
import Testing

@testable import GameprofAnalysis

/// What another user of the machine can plant where files are made, and who can read these.
@Suite struct PlantedFileTests {
    private let folder: TemporaryFolder
    private let secret = "secret\n"

    init() throws {
        folder = try TemporaryFolder()
        try Data(secret.utf8).write(to: folder.url.appending(path: "victim"))
    }

    private func shell(_ line: String) throws -> CommandResult {
        try Command.run(
            URL(filePath: "/bin/sh"), ["-c", line],
            environment: [
                "TOOL": Products.gameprof.path, "TMPDIR": folder.url.path, "LIBRARY": RecorderLibrary.url?.path ?? "",
            ], directory: folder.url)
    }

    private func content(_ name: String) throws -> String {
        try String(contentsOf: folder.url.appending(path: name), encoding: .utf8)
    }

    private func mode(_ name: String) throws -> Int? {
        let path = folder.url.appending(path: name).path
        return try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test(
        "a link at a name that could be guessed leaves its victim whole",
        arguments: [
            "gameprof-$$.gptrace", "gameprof-$$.gptrace.tool", "gameprof-$$.gptrace.finished.tool",
            ".gameprof-$$.partial", "t.gptrace.$$.partial", "t.gptrace.$$.recording", "t.gptrace.$$.recording.tool",
        ], ["leaks --json r.json", "record -o t.gptrace"])
    func plantedLink(name: String, command: String) throws {
        let run = try shell("ln -s victim \"\(name)\"; exec \"$TOOL\" \(command) --quiet -- /bin/true")
        #expect(run.status == 0, "\(run.error)")
        #expect(try content("victim") == secret)
    }

    /// Another user's link `shared/r` leads to the victim, `shared/Reports` to its folder.
    private static let planting = """
        mkdir shared; chmod 1777 shared; ln -s ../victim shared/r; ln -s .. shared/Reports; chown -h 65534 shared/*
        "$TOOL" record --instruments allocations,leaks,heap --quiet -o t.gptrace -- /bin/true; set +e

        """

    @Test(
        "another user's link in a folder that everybody can write leads no result anywhere",
        .enabled(if: geteuid() == 0),
        arguments: [
            "leaks --json shared/r -- /bin/true", "leaks --html shared/r -- /bin/true",
            "record -o shared/r -- /bin/true",
            "leaks --json shared/Reports/victim -- /bin/true", "report t.gptrace --json shared/r",
            "dump t.gptrace >/dev/null; "
                + "\"$TOOL\" export t.gptrace --format pprof -o shared/r",
            "export t.gptrace --format sqlite -o shared/r",
            "export t.gptrace --format hprof -o shared/r", "symbolicate shared/t.gptrace",
            "check --json shared/r t.gptrace",
            "check --junit shared/r t.gptrace", "check --sarif shared/r t.gptrace",
            "check --markdown shared/r t.gptrace",
            "check --baseline shared/r --update-baseline t.gptrace", "check --reports shared/Reports t.gptrace",
            "diff t.gptrace t.gptrace --json shared/r", "heap diff t.gptrace t.gptrace --html shared/r",
            "merge t.gptrace -o shared/r",
        ])
    func stickyFolder(command: String) throws {
        let run = try shell(
            Self.planting + "ln -s ../t.gptrace shared/t.gptrace; chown -h 65534 shared/t.gptrace; \"$TOOL\" \(command)"
        )
        #expect([2, 4].contains(run.status) && run.error.contains("is another user's link"), "\(run.error)")
        #expect(try content("victim") == secret)
    }

    @Test("a page without a name goes through no link of another user", .enabled(if: geteuid() == 0))
    func defaultPage() throws {
        let run = try shell(Self.planting + "cd shared; \"$TOOL\" leaks -- /bin/true")
        #expect(run.status == 0 && run.error.contains("is another user's link"), "\(run.error)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(!names.contains("true-leaks.html"))
    }

    @Test(
        "the recorder enters no folder through another user's link, and writes no note into another user's file",
        .enabled(if: geteuid() == 0))
    func misledRecorder() throws {
        let record = "GAMEPROF_INSTRUMENTS=allocations LD_PRELOAD=\"$LIBRARY\""
        let led = try shell(Self.planting + "GAMEPROF_TRACE=\"$PWD/shared/Reports/led\" \(record) /bin/true")
        #expect(led.status == 0 && !FileManager.default.fileExists(atPath: folder.url.appending(path: "led").path))
        let note = try shell(
            "echo theirs >n.gptrace.others; chown 65534 n.gptrace.others; "
                + "GAMEPROF_TRACE=\"$PWD/n.gptrace\" \(record) /bin/sh -c '/bin/true; /bin/true'")
        #expect(note.status == 0, "\(note.error)")
        #expect(try content("n.gptrace.others") == "theirs\n")
    }

    @Test("a device or FIFO is written where the user names it, and is never replaced")
    func devices() throws {
        let run = try shell(
            """
            mkfifo fifo Reports; cat fifo >copy & "$TOOL" leaks --quiet --json fifo --html /dev/null -- /bin/true; wait
            "$TOOL" leaks --quiet --json /dev/stdout -- /bin/true >out; echo >>out; "$TOOL" record -o fifo -- /bin/true
            """)
        #expect(
            run.status == 2 && run.error.contains("fifo cannot be written: it is not a regular file"), "\(run.error)")
        for name in ["copy", "out"] { #expect(try content(name).hasPrefix("{"), "\(name)") }
        var status = stat()
        #expect(stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
    }

    @Test("the recorder empties no file that has another name, and follows no link to say why it cannot write")
    func recorder() throws {
        let record = "GAMEPROF_TRACE=t.gptrace GAMEPROF_INSTRUMENTS=allocations LD_PRELOAD=\"$LIBRARY\" /bin/true"
        let hard = try shell("ln victim t.gptrace; \(record)")
        #expect(hard.status == 0, "\(hard.error)")
        #expect(try content("victim") == secret)
        #expect(try mode("t.gptrace") == 0o600)
        let reason = try shell("rm t.gptrace; mkdir t.gptrace; ln -s victim t.gptrace.error; \(record)")
        #expect(reason.status == 0, "\(reason.error)")
        #expect(try content("victim") == secret)
        #expect(try content("t.gptrace.error").contains("cannot be written"))
    }

    @Test("a file that is there already is emptied in place and keeps its mode")
    func ownTrace() throws {
        let run = try shell(
            "echo old >t.gptrace; chmod 640 t.gptrace; "
                + "GAMEPROF_TRACE=t.gptrace GAMEPROF_INSTRUMENTS=allocations LD_PRELOAD=\"$LIBRARY\" /bin/true")
        #expect(run.status == 0, "\(run.error)")
        #expect(try mode("t.gptrace") == 0o640)
        #expect(try Command.run(Products.gameprof, ["dump", "t.gptrace"], directory: folder.url).status == 0)
    }

    @Test("traces, pages and results are their user's alone, but for those that a server of CI reads")
    func modes() throws {
        let line = """
            umask 022; echo >kept.json; chmod 644 kept.json
            "$TOOL" record --instruments allocations,leaks,heap -o t.gptrace --quiet -- /bin/ls >/dev/null
            "$TOOL" heap t.gptrace --html r.html --json kept.json
            "$TOOL" check --quiet --json c.json --junit c.xml --sarif c.sarif --markdown c.md t.gptrace
            "$TOOL" export t.gptrace --format sqlite -o heap.sqlite
            "$TOOL" leaks --quiet -- /bin/true
            """
        let run = try shell(line)
        for name in ["t.gptrace", "r.html", "c.json", "heap.sqlite", "Reports/true-leaks.html"] {
            #expect(try mode(name) == 0o600, "\(name): \(run.error)")
        }
        for name in ["c.xml", "c.sarif", "c.md", "kept.json"] { #expect(try mode(name) == 0o644, "\(name)") }
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter {
            $0.contains("gameprof-")
        }
        #expect(left.isEmpty)
    }

    @Test("a program that gives up root's rights before it becomes another is recorded", .enabled(if: geteuid() == 0))
    func otherUser() throws {
        // Where the other user may go.
        let place = "/var/tmp/gameprof-planted-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: place) }
        let json = folder.url.appending(path: "r.json")
        let run = try Command.run(
            Products.gameprof,
            [
                "leaks", "--quiet", "--json", json.path, "--", "setpriv", "--reuid=65534", "--clear-groups", "/bin/sh",
                "-c", "exit 0",
            ], environment: ["TMPDIR": place])
        #expect(run.status == 0, "\(run.error)")
        #expect(try Report(json: json).target.executable.hasSuffix("sh"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: place).isEmpty)
    }
}
