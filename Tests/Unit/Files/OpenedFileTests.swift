import Foundation
import GameprofTestSupport
import Testing

/// Files are written through `OutputPlace`, and those that others name are read through `RegularFile`. What does otherwise
/// stands here, with the reason; `Documentation/Reliability.md` has the flags.
@Suite("Opened files") struct OpenedFileTests {
    private static let writers: [String: String] = [
        "Sources/Profiler/Basics/OutputWriting.swift": "the way by which files are written",
        "Sources/Profiler/Basics/PrivateFolder.swift": "mkdtemp",
        "Sources/Profiler/Basics/HelperProcess.swift": "/dev/null for a helper",
        "Sources/Profiler/Check/Export/SQLite/SQLiteDatabase.swift": "a file in the private folder of OutputPlace",
        "Sources/Profiler/Trace/Writing/OutputFile.swift": "the same, and the recorder's trace; NOFOLLOW",
        "Sources/Profiler/Analysis/ReportModel/TestFindings.swift": "a private folder of gameprof test; NOFOLLOW",
        "Sources/gameprof/Files/PipeOutput.swift": "takes NONBLOCK off a descriptor",
        "Sources/gameprof/Launch/SessionFinisher.swift": "renames traces beside each other",
        "Sources/gameprof/Launch/SessionOutcome.swift": "renames traces into a private folder",
        "Sources/gameprof/Launch/RequestPipe.swift": "mkfifo, which is exclusive; NOFOLLOW",
        "Sources/gameprof/Launch/ToolLock.swift": "EXCL NOFOLLOW",
        "Sources/Instrumentation/Core/DebugLog.swift": "the program's own log; no link of another user",
        "Sources/gameprof/Mcp/ToolAnswer.swift": "what a tool printed, in a private folder",
        "Sources/GameLab/Faults/DescriptorLeak.swift": "the game's own file; EXCL",
        "Sources/GameLab/Interactive/Session.swift": "the game's own file, which its player names",
        "Sources/Recorder/Trace/file.c": "trace and spool; NOFOLLOW, own files alone",
        "Sources/Recorder/Trace/spool.c": "the reason of a failure; EXCL",
        "Sources/Recorder/Control/exec_environment.c": "EXCL, or NOFOLLOW and own files alone",
        "Sources/Recorder/Control/own_thread.c": "/dev/null",
        "Sources/Recorder/Control/snapshot_thread.c": "the FIFO of requests; NOFOLLOW",
        "Sources/Recorder/Control/taken_trace.c": "the lock of a spool, which is not written; NOFOLLOW",
        "Sources/Recorder/Leaks/freeze.c": "/proc/self/oom_score_adj",
        "Fleet/Sources/HistoryStore/HistoryFile.swift": "SQLite, at a path that OutputPlace has resolved",
        "Analyzer/Sources/CIndexStore/answer.c": "a pipe to the parent",
        "Analyzer/Sources/CIndexStore/process.c": "/dev/null",
    ]

    private static let readers: [String: String] = [
        "Sources/Profiler/Basics/RegularFile.swift": "the way by which what others name is read",
        "Sources/Profiler/Basics/InputFile.swift": "the way by which what the user names is read",
        "Sources/Profiler/Basics/PrivateFolder.swift": "folders of one's own",
        "Sources/Profiler/Basics/AvailableMemory.swift": "/proc and control groups",
        "Sources/Profiler/Heap/Image/PageTable.swift": "/proc/PID/pagemap",
        "Sources/Profiler/Heap/Image/RemoteMemory.swift": "/proc/PID/mem",
        "Sources/Profiler/Heap/Image/StoppedThreads.swift": "/proc/PID",
        "Sources/Instrumentation/Serving/Figures/LoadedImages.swift": "/proc/self/mem",
        "Sources/Instrumentation/Serving/Figures/ProcessUsage.swift": "/proc/self",
        "Sources/gameprof/Check/BaselineFile.swift": "a folder, to lock it",
        "Sources/gameprof/Doctor/Machine.swift": "/proc/sys",
        "Sources/gameprof/Launch/Deadline.swift": "/proc/PID/stat",
        "Sources/gameprof/Launch/InputOfRuns.swift": "/dev/null",
        "Sources/GameLab/Faults/DescriptorLeak.swift": "the game's own file",
        "Sources/GameLab/Interactive/Session.swift": "a file that the player names",
        "Sources/Recorder/Control/program_file.c": "a program that is started: regular, NONBLOCK",
        "Sources/Recorder/Control/taken_trace.c": "the trace; NOFOLLOW NONBLOCK",
        "Sources/Recorder/Leaks/heap_image.c": "/proc/self/maps",
        "Sources/Recorder/Leaks/kernel_texts.c": "/proc/self",
        "Sources/Recorder/Leaks/memory_map.c": "/proc/self/pagemap",
        "Sources/Recorder/Modules/runtime_symbols.c": "/proc/self/exe",
        "Sources/Recorder/OS/include/proc_path.h": "/proc",
        "Sources/Recorder/OS/mapping.c": "/proc/self/maps",
        "Sources/Recorder/OS/task_list.c": "/proc/self/task",
        "Sources/Recorder/Trace/resident.c": "/proc/self/statm",
        "Fleet/Sources/gameprof-history/HistoryTool.swift": "/proc/cpuinfo",
    ]

    nonisolated(unsafe) static let writing =
        #/
        \bO_(?:CREAT|WRONLY|RDWR)\b | \bwrite\(to:\h*URL | \bcreateFile\( | \bforWriting | \bforUpdating | \bOutputStream\(
        | \b(?:f|fd|fre)open\( | \bcreat\( | \bmk(?:s|d)temp\( | \bmkfifo\( | \bmknod | \bsqlite3_open | \bDatabase(?:Queue|Pool)\(
        | default\.(?:copy|move|replace|link)Item | \bcreateSymbolicLink | \brename\( | \brenameat | \bsymlinkat | \bgp_system\(linkat
        /#
    nonisolated(unsafe) static let reading =
        #/
        \bO_RDONLY\b | \bcontents\(atPath | \b(?:Data|String)\(contentsOf | \bforReading | \bInputStream\(
        /#

    /// The sources in which the expression is found outside of comments.
    private static func files(with expression: Regex<Substring>) throws -> Set<String> {
        // By default no boundary stands between `default.` and `contents`.
        let expression = expression.wordBoundaryKind(.simple)
        var found: Set<String> = []
        for folder in ["Sources", "Fleet/Sources", "Analyzer/Sources"] {
            let root = Repository.file(folder)
            let names = try #require(FileManager.default.enumerator(atPath: root.path)?.allObjects as? [String])
            for name in names where [".swift", ".c", ".h"].contains(where: name.hasSuffix) {
                let text = try String(contentsOf: root.appending(path: name), encoding: .utf8)
                if text.replacing(#/\/\/[^\n]*/#, with: "").contains(expression) { found.insert("\(folder)/\(name)") }
            }
        }
        return found
    }

    @Test("no other source opens a file for writing")
    func written() throws {
        let found = try Self.files(with: Self.writing)
        #expect(found.subtracting(Self.writers.keys) == [], "Write it through OutputPlace.")
        #expect(Set(Self.writers.keys).subtracting(found) == [], "Take it from the list.")
    }

    @Test("no other source opens a file that others may have named")
    func read() throws {
        let found = try Self.files(with: Self.reading)
        #expect(found.subtracting(Self.readers.keys) == [], "Read it through RegularFile or InputFile.")
        #expect(Set(Self.readers.keys).subtracting(found) == [], "Take it from the list.")
    }
}
