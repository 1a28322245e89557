import Foundation
import Testing

@testable import gameprof

@Suite("Words of the command line")
struct ProgramArgumentsTests {
    private func words(_ line: String) throws -> [String] {
        try ProgramArguments(line.split(separator: " ").map(String.init)).words
    }

    private func refusal(_ line: String) -> String {
        do {
            return "\(try words(line))"
        } catch let error as ToolError {
            return error.status == .wrongUsage ? error.description : "another status"
        } catch { return "\(error)" }
    }

    @Test(
        "options are kept, values that may be missing are filled in, and what the program is given is its own",
        arguments: [
            ("zombies --guard game --no-guard", "zombies --guard=all -- game --no-guard"),
            ("zombies --guard A B -- game", "zombies --guard=A,B -- game"),
            ("zombies --guard none game", "zombies --guard=none -- game"),
            ("leaks --follow game", "leaks --follow=all -- game"),
            ("leaks --follow launched game", "leaks --follow=launched -- game"),
            ("leaks -o diff game --history", "leaks -o diff -- game --history"),
            ("check --history h --keep-going game", "check --history h --keep-going -- game"),
            ("check t.gptrace --json r", "check t.gptrace --json r"),
            ("heap --json r diff a.gptrace b.gptrace", "heap diff --json r a.gptrace b.gptrace"),
            ("heap -- diff", "heap show -- diff"),
            ("heap --help", "heap show --help"),
            ("history show --history h --only", "history show --history h --only"),
        ])
    func optionsAndProgram(given: String, parsed: String) throws {
        #expect(try words(given).joined(separator: " ") == parsed)
    }

    @Test(
        "a command that there is not is wrong usage, and the nearest one is named",
        arguments: [
            ("leeks game", "gameprof has no command leeks; did you mean leaks?"),
            ("frobnicate", "gameprof has no command frobnicate; gameprof --help lists them."),
            ("trace game", "gameprof record PROGRAM"),
            ("profile game", "gameprof time PROGRAM"), ("memcheck game", "gameprof leaks PROGRAM"),
            ("record -p 12", "gameprof cannot record a process that runs already; gameprof record PROGRAM"),
            ("files --pid=12", "gameprof files PROGRAM"), ("leaks check", "check is a gameprof command"),
        ])
    func unknownCommands(line: String, sentence: String) {
        #expect(refusal(line).contains(sentence), "\(refusal(line))")
    }

    /// What a command can do for a heap that is there already: an option that is new stands here or is refused.
    private static let acting: Set = [
        "--pid", "--program", "--symbols", "--html", "--json", "--text", "--suppressions", "--no-sources", "--no-color",
        "--quiet", "--why", "--snapshot", "--for", "--every", "--rate", "--wall", "--source", "--runtime-frames",
    ]

    @Test("no option of a recording is passed over where a process, a core file or a trace is looked at")
    func withoutRecording() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "arguments-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (core, trace) = (folder.appending(path: "core.7").path, folder.appending(path: "t.gptrace").path)
        for path in [core, trace] { try Data().write(to: URL(filePath: path)) }
        for command in try DeclaredCommand.tool().all
        where ["leaks", "show", "footprint", "tasks", "time"].contains(command.commandName) {
            let name = command.commandName == "show" ? "heap" : command.commandName
            var targets = ["--pid 7", core, trace]
            if !["heap", "tasks"].contains(name) { targets.removeLast(name == "leaks" ? 1 : 2) }
            for option in command.options where !option.isBuiltIn {
                for spelling in option.spellings {
                    for target in targets {
                        let isOfProgram = RecordingOptions.notOfImages[name]?.contains(spelling) ?? false
                        let acts = target != trace && RecordingOptions.ofImages.contains(spelling)
                        let isOfRecording = RecordingOptions.all.contains(spelling) && !acts
                        let isRefused = isOfRecording || isOfProgram && target != trace
                        #expect(isRefused || acts || Self.acting.contains(spelling), "\(name) \(spelling) \(target)")
                        let hasValue = option.kind == "option" && OptionWords.withOptionalValue[spelling] == nil
                        let said = refusal("\(name) \(spelling)\(hasValue ? " 1" : "") \(target)")
                        #expect(
                            said.hasPrefix("\(spelling) controls how a program is recorded") == isRefused, "\(said)")
                    }
                }
            }
        }
    }
}
