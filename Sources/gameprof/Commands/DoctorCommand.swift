import ArgumentParser
import Foundation
import GameprofBasics
import GameprofHeap
import GameprofSampling
import GameprofTrace

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check permissions and required tools.",
        discussion: """
            Records a built-in test program and compares the findings with the expected ones. This detects a Swift \
            runtime with an unknown layout. Exit code 4: results about leaks and zombies are not reliable here.
            """)

    @Flag(name: .long, help: .hidden)
    var trial = false

    @Argument(
        help: ArgumentHelp(
            "Report what heap, leaks, time --pid and attach can find out about this process.", valueName: "pid"))
    var pid: Int32?

    func run() throws {
        if trial { return DoctorSample.run() }
        if let pid { return try look(at: pid) }
        try say("gameprof", "\(GameProf.toolVersion), trace version \(TraceHeader.currentVersion)")
        var isWhole = true
        do {
            try say("recorder", try RecordingSession.library())
        } catch {
            try say("recorder", "missing: \(error)")
            isWhole = false
        }
        if isWhole {
            let complaint = RuntimeTrial.complaint()
            try say(
                "Swift runtime",
                complaint.map { "not as expected: \($0)" }
                    ?? "as expected: a closure, a dictionary and a weak reference were decoded")
            isWhole = complaint == nil
        }
        try say("symbolizer", Self.sentence(SymbolizerLocator.find()))
        #if !arch(arm64)
        try say("aarch64", Self.recorderOfAarch64)
        #endif
        try say("perf events", Machine.perfEvents)
        try say("address space", Machine.addressSpace)
        try say("ptrace", Machine.ptrace)
        if !isWhole { throw ExitStatus.toolFailed }
    }

    #if !arch(arm64)
    /// Packages have it.
    private static var recorderOfAarch64: String {
        let library = (try? RecordingSession.library()).map { URL(filePath: $0) }
        let folder = library?.deletingLastPathComponent().appending(path: "aarch64")
        let other = library.flatMap { folder?.appending(path: $0.lastPathComponent).path }
        guard let other, FileManager.default.fileExists(atPath: other) else {
            return "there is no recorder for it here (packages have one); traces recorded there can be read"
        }
        return "\(other) can be preloaded there; traces recorded there can be read"
    }
    #endif

    private func look(at pid: Int32) throws {
        do throws(MemoryImageError) {
            let outlook = try ProcessOutlook(pid: pid)
            for fact in outlook.facts { try? say(fact.subject, fact.sentence) }
            let canSample = saySampling(of: pid)
            let isDormant = (try? DormantRecorder(in: pid)) != nil
            try? say(
                "attach",
                isDormant
                    ? "a recorder waits for gameprof attach"
                    : "no recorder waits there: start the program with gameprof record --dormant")
            if outlook.isPossible, canSample { return }
        } catch { throw ToolError(.wrongUsage, error.sentence) }
        throw ExitStatus.toolFailed
    }

    private func saySampling(of pid: Int32) -> Bool {
        do throws(MemoryImageError) {
            let sentence = try ProcessSampling.outlook(of: pid)
            try? say("time", "sampled \(sentence)")
            return true
        } catch {
            try? say("time", error.sentence)
            return false
        }
    }

    private static func sentence(_ symbolizer: Symbolizer?) -> String {
        guard let symbolizer else {
            return "not found: lines and inlined functions are missing; install the Swift toolchain or add it to PATH"
        }
        guard symbolizer.runs else {
            return
                "\(symbolizer.path) cannot be run here: lines and inlined functions are missing; add the Swift toolchain to PATH"
        }
        return symbolizer.isOfToolchain
            ? symbolizer.path
            : "\(symbolizer.path) belongs to no Swift toolchain: lines and inlined functions may be missing; add the "
                + "toolchain to PATH"
    }

    private func say(_ subject: String, _ sentence: String) throws {
        try StandardOutput.write(
            subject.padding(toLength: 14, withPad: " ", startingAt: 0) + PlainText.clean(sentence) + "\n")
    }
}
