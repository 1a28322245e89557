import Foundation
import GameprofAnalysis
import GameprofBasics
import GameprofReport
import GameprofTrace

/// One test in a process of its own, in which deallocated objects are quarantined: the use of one
/// is reported there and ends the process.
struct ZombieRun {
    /// Set for such a process.
    private static let variable = "GAMEPROF_TESTING"
    private static let isOne = ProcessInfo.processInfo.environment[variable] == "zombies"

    /// Whether this process quarantines deallocated objects for one of its tests.
    static var isThisProcess: Bool { isOne }

    private let process = Process()
    /// Of the trace; nil: none can be made.
    private let folder = PrivateFolder(temporaryFor: "zombies")
    private var trace: String { folder.map { $0.path + "/trace.gptrace" } ?? "" }
    private static let noFolder = "there is no folder for temporary files that can be written"

    /// - Parameter arguments: with which this program runs the test alone.
    init(arguments: [String]) {
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment
        environment[Self.variable] = "zombies"
        environment["GAMEPROF"] = Instrument.zombies.rawValue
        environment["GAMEPROF_OUTPUT"] = trace
        environment[TestFindings.variable] = nil
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
    }

    /// Runs the test and says what it used that was dead. The calling task waits, its thread does not.
    func outcome() async -> LeakSearch.Outcome {
        guard folder != nil else { return conclude(Self.noFolder) }
        await Self.gate.enter()
        let failure: String? = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                process.terminationHandler = { _ in continuation.resume(returning: nil) }
                do {
                    try process.run()
                } catch {
                    continuation.resume(returning: "\(error)")
                }
            }
        } onCancel: {
            if process.isRunning { process.terminate() }
        }
        await Self.gate.leave()
        return conclude(failure)
    }

    /// The same for a thread that may wait.
    func outcomeByWaiting() -> LeakSearch.Outcome {
        guard folder != nil else { return conclude(Self.noFolder) }
        do {
            try process.run()
            process.waitUntilExit()
            return conclude(nil)
        } catch {
            return conclude("\(error)")
        }
    }

    private func conclude(_ failure: String?) -> LeakSearch.Outcome {
        defer { folder?.remove() }
        var outcome = LeakSearch.Outcome(subject: .zombies)
        if let failure {
            outcome.problem = "the test could not be run in a process of its own: \(failure)"
            return outcome
        }
        // EX_UNAVAILABLE of swift-testing: no test has the name.
        if process.terminationReason == .exit, process.terminationStatus == 69 {
            outcome.problem = "the test was not found in a process of its own"
            return outcome
        }
        do {
            let recording = try RecordingReader.read(path: trace)
            guard recording.zombieSummary != nil || !recording.zombies.isEmpty || hasCrashed else {
                outcome.problem = recording.capture.notes.first ?? "the process had no quarantine"
                return outcome
            }
            let report = Report(
                ReportBuilder.build(recording: recording, symbolicator: Symbolicator(recording: recording)))
            outcome.findings = report.findings.filter { $0.kind == .zombie && $0.severity == .error }
            outcome.report = outcome.findings.isEmpty ? nil : report
        } catch {
            outcome.problem = "\(error)"
        }
        return outcome
    }

    private var hasCrashed: Bool { process.terminationReason == .uncaughtSignal }

    /// As many at a time as there are processors.
    private static let gate = Gate(places: max(1, ProcessInfo.processInfo.activeProcessorCount))
}

/// Lets so many tasks in at a time.
private actor Gate {
    private var places: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(places: Int) { self.places = places }

    func enter() async {
        guard places == 0 else {
            places -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func leave() {
        if waiting.isEmpty {
            places += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}
