import ArgumentParser
import Foundation
import Profiler
import TraceFile

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Say what this machine permits and what is missing.",
        discussion: """
            Records a small program of its own and compares what it finds with what the program did: a Swift runtime \
            that is laid out differently shows there. Exit code 4: leaks and zombies cannot be trusted here.
            """)

    @Flag(name: .long, help: .hidden)
    var sample = false

    func run() throws {
        if sample { return DoctorSample.run() }
        try say("gameprof", "\(GameProf.toolVersion), trace version \(TraceHeader.currentVersion)")
        var isWhole = true
        do {
            try say("recorder", try CaptureLibraryFile.find())
        } catch {
            try say("recorder", "missing: \(error)")
            isWhole = false
        }
        if isWhole {
            let complaint = RuntimeTrial.complaint()
            try say(
                "Swift runtime",
                complaint.map { "not as expected: \($0)" }
                    ?? "as expected: a closure, a dictionary and a weak reference were read right")
            isWhole = complaint == nil
        }
        try say(
            "symbolizer",
            SymbolizerLocator.find()
                ?? "none found: install the Swift toolchain or put it on PATH, else lines and inlined functions are missing"
        )
        try say("perf events", Machine.perfEvents)
        try say("address space", Machine.addressSpace)
        try say("ptrace", Machine.ptrace)
        if !isWhole { throw ExitStatus.toolFailed }
    }

    private func say(_ subject: String, _ sentence: String) throws {
        try StandardOutput.write(
            subject.padding(toLength: 14, withPad: " ", startingAt: 0) + PlainText.clean(sentence) + "\n")
    }
}
