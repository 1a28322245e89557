import CTestRecording
import Foundation
import Instrumentation
import Profiler

/// Looks for what a scope lost, in this process: takes a heap snapshot and reads it back from the process's own trace.
///
/// Tests run side by side and share the heap. What is lost belongs to the scope whose function stands on the stack that
/// allocated it; what has no such stack (a thread of its own) belongs to the scopes that ran meanwhile, and the first
/// that ends tells it. Each lost object is told once.
enum LeakSearch {
    /// What a search found.
    struct Outcome {
        var findings: [Finding] = []
        /// The whole report, for an attachment; nil when nothing was found.
        var report: Report?
        /// Names of scopes that may have lost it as well.
        var others: [String] = []
        /// Why nothing can be said; nil: the search is sound.
        var problem: String?
    }

    private struct State {
        var active: [ObjectIdentifier: TestScope] = [:]
        /// Scopes that were active since the last search.
        var recent: [ObjectIdentifier: TestScope] = [:]
        var told: Set<UInt64> = []
        var number = 0
    }

    private static let lock = NSLock()
    /// Guarded by `lock`.
    nonisolated(unsafe) private static var state = State()

    static func begin(_ scope: TestScope) {
        lock.withLock {
            state.active[ObjectIdentifier(scope)] = scope
            state.recent[ObjectIdentifier(scope)] = scope
        }
    }

    /// Ends the scope and says what it lost.
    static func end(_ scope: TestScope) -> Outcome {
        lock.withLock {
            state.number += 1
            let outcome = search(scope)
            state.active[ObjectIdentifier(scope)] = nil
            state.recent = state.active
            return outcome
        }
    }

    private static func search(_ scope: TestScope) -> Outcome {
        guard let trace = gp_test_trace().map({ String(cString: $0) }) else {
            return Outcome(problem: "the environment turned the recording of this process off or elsewhere")
        }
        guard Instrumentation.isRecording else { return Outcome(problem: "this process is not recorded") }
        guard Instrumentation.snapshot("test \(state.number)") else {
            return Outcome(problem: "no heap snapshot could be taken")
        }
        do {
            return try judge(scope, in: try RecordingReader.readHeap(path: trace))
        } catch {
            return Outcome(problem: "\(error)")
        }
    }

    private static func judge(_ scope: TestScope, in recording: Recording) throws -> Outcome {
        guard let snapshot = recording.heapSnapshots.last else {
            return Outcome(problem: "the heap snapshot is missing in the trace")
        }
        if let reason = snapshot.unsoundReason { return Outcome(problem: reason) }
        let lost = snapshot.objects.filter { $0.isLost && !$0.stack.isNone && !state.told.contains($0.address) }
        guard !lost.isEmpty else { return Outcome() }
        let symbolicator = Symbolicator(recording: recording)
        symbolicator.prepare(stacks: Set(lost.map(\.stack)), addresses: [])
        var owned: Set<UInt64> = []
        var unowned: Set<UInt64> = []
        for object in lost {
            let frames = symbolicator.stack(object.stack).frames
            func isOwned(by scope: TestScope) -> Bool {
                frames.contains { scope.owns(function: $0.function, file: $0.file) }
            }
            if isOwned(by: scope) {
                owned.insert(object.address)
            } else if !state.recent.values.contains(where: isOwned) {
                unowned.insert(object.address)
            }
        }
        let wanted = owned.union(unowned)
        let report = ReportBuilder.lost(in: snapshot, of: recording, symbolicator: symbolicator) { wanted.contains($0) }
        state.told.formUnion(wanted)
        let findings = report.findings.filter { $0.severity == .error }
        guard !findings.isEmpty else { return Outcome() }
        TestFindings(test: scope.name, report: report).leave()
        let others = unowned.isEmpty ? [] : state.recent.values.filter { $0 !== scope }.map(\.name).sorted()
        return Outcome(findings: findings, report: report, others: others)
    }
}
