import CTestRecording
import Foundation
import GameprofAnalysis
import GameprofBasics
import GameprofHeap
import GameprofReport
import GameprofTrace

/// Looks for what a scope lost, in this process: takes a heap snapshot, which a thread of this process searches, and reads the result
/// back from the process's own trace.
///
/// Tests run side by side and share the heap. What is lost belongs to the scope whose function stands on the stack that
/// allocated it; what has no such stack (a thread of its own) belongs to the scopes that ran meanwhile, and the first
/// that ends reports it. Each lost object is reported once.
enum LeakSearch {
    /// What a search found.
    struct Outcome {
        var subject = TestFindings.Subject.leaks
        var findings: [Finding] = []
        /// The whole report, for an attachment; nil when nothing was found.
        var report: Report?
        /// Names of scopes that may have lost it as well.
        var others: [String] = []
        /// What keeps the object alive that was asked about, from the root on.
        var holders: [String] = []
        /// Why nothing can be said; nil: the search is sound.
        var problem: String?
        /// Something may be lost that the stack of a running thread shows.
        var isHidden = false
        /// The scopes that made what is reported, where they ended before it could be seen.
        var makers: Set<String> = []
    }

    private struct State {
        var active: [ObjectIdentifier: TestScope] = [:]
        /// Scopes that ended, the last ones.
        var past: [TestScope] = []
        /// Scopes that were active since the last search.
        var recent: [ObjectIdentifier: TestScope] = [:]
        var reported: Set<UInt64> = []
        /// Of the lost objects when all of them were reported; they stay lost.
        var settled: UInt64?
        var number = 0
    }

    private static let lock = NSLock()
    /// Guarded by `lock`.
    nonisolated(unsafe) private static var state = State()

    static func begin(_ scope: TestScope) {
        AllocationTally.uncounted {
            lock.withLock {
                state.active[ObjectIdentifier(scope)] = scope
                state.recent[ObjectIdentifier(scope)] = scope
            }
        }
    }

    /// Ends the scope and says what it lost. `asked`: address of an object that was expected to be deallocated.
    static func end(_ scope: TestScope, asked: UInt64? = nil) -> Outcome {
        AllocationTally.uncounted {
            var outcome = look(scope, asked)
            for delay in OwnSearch.laterLooks {
                guard outcome.isHidden, outcome.findings.isEmpty, outcome.problem == nil else { break }
                usleep(delay)
                outcome = look(scope, asked)
            }
            lock.withLock {
                state.active[ObjectIdentifier(scope)] = nil
                state.recent = state.active
                state.past = state.past.suffix(pastLimit - 1) + [scope]
            }
            outcome.leave(test: scope.name, since: scope.started)
            return outcome
        }
    }

    private static let pastLimit = 1_000

    private static func look(_ scope: TestScope, _ asked: UInt64?) -> Outcome {
        // The frames of the search would hold what the test left on this stack, and those that wait for the lock too.
        gp_test_clear_stack()
        return lock.withLock {
            state.number += 1
            return ZombieRun.isThisProcess ? Outcome() : search(scope, asked)
        }
    }

    /// Why this process cannot be looked into; nil: it can.
    static var obstacle: String? {
        if gp_test_trace() == nil {
            return
                "the environment turned the recording of this process off (GAMEPROF_TESTING=off) or elsewhere (GAMEPROF)"
        }
        return gp_is_recording() ? nil : "this process is not recorded"
    }

    private static func search(_ scope: TestScope, _ asked: UInt64?) -> Outcome {
        if let obstacle { return Outcome(problem: obstacle) }
        guard let trace = gp_test_trace().map({ String(cString: $0) }) else {
            return Outcome(problem: "no heap snapshot could be taken")
        }
        let taken: OwnSearch.Taken
        do throws(OwnSearch.Failure) {
            taken = try OwnSearch.taking(hiddenThread: gp_hidden_thread, searchAt: gp_search_at) {
                gp_snapshot("test \(state.number)")
            }
        } catch {
            return Outcome(problem: error.clause)
        }
        guard taken != .no else { return Outcome(problem: "no heap snapshot could be taken") }
        let digest = gp_last_lost()
        if taken == .searched, digest.known, asked == nil, digest.blocks == 0 || digest.digest == state.settled {
            return Outcome(isHidden: digest.hidden > 0)
        }
        do {
            var outcome = try judge(scope, in: try RecordingReader.readHeap(path: trace), asked, digest)
            if taken == .unsearched, outcome.problem == nil { return Outcome(problem: OwnSearch.unreached) }
            outcome.isHidden = digest.hidden > 0
            return outcome
        } catch {
            return Outcome(problem: "\(error)")
        }
    }

    private static func judge(
        _ scope: TestScope, in recording: Recording, _ asked: UInt64?, _ digest: gp_lost
    ) throws -> Outcome {
        guard let snapshot = recording.heapSnapshots.last else {
            return Outcome(problem: "the heap snapshot is missing in the trace")
        }
        if let reason = snapshot.unsoundReason { return Outcome(problem: reason) }
        let lost = snapshot.objects.filter { $0.isLost && !$0.stack.isNone && !state.reported.contains($0.address) }
        let symbolicator = Symbolicator(recording: recording)
        let holders =
            asked.map {
                ReportBuilder.holders(ofObjectAt: $0, in: snapshot, of: recording, symbolicator: symbolicator)
            } ?? []
        guard !lost.isEmpty else { return Outcome(holders: holders) }
        symbolicator.prepare(stacks: Set(lost.map(\.stack)), addresses: [])
        var owned: Set<UInt64> = []
        var unowned: Set<UInt64> = []
        var makers: Set<String> = []
        for object in lost {
            let frames = symbolicator.stack(object.stack).frames
            func isOwned(by scope: TestScope) -> Bool {
                frames.contains { scope.owns(function: $0.function, file: $0.file) }
            }
            if isOurs(frames) {
                state.reported.insert(object.address)
            } else if isOwned(by: scope) {
                owned.insert(object.address)
            } else if !state.recent.values.contains(where: isOwned) {
                unowned.insert(object.address)
                if let maker = state.past.last(where: isOwned) { makers.insert(maker.name) }
            }
        }
        let wanted = owned.union(unowned)
        let report = Report(
            ReportBuilder.lost(in: snapshot, of: recording, symbolicator: symbolicator) { wanted.contains($0) })
        state.reported.formUnion(wanted)
        state.settled = digest.known && lost.allSatisfy { state.reported.contains($0.address) } ? digest.digest : nil
        let findings = report.findings.filter { $0.severity == .error }
        guard !findings.isEmpty else { return Outcome(holders: holders) }
        let others = unowned.isEmpty ? [] : state.recent.values.filter { $0 !== scope }.map(\.name).sorted()
        return Outcome(findings: findings, report: report, others: others, holders: holders, makers: makers)
    }

    private static func isOurs(module: String) -> Bool {
        module.hasPrefix("Gameprof") || ["InstrumentationTesting", "GameInstrumentation"].contains(module)
    }

    /// What this library makes for itself, Foundation's processes for instance, which keep themselves.
    private static func isOurs(_ frames: [SymbolicatedFrame]) -> Bool {
        guard let entry = frames.firstIndex(where: { $0.module == "InstrumentationTesting" }) else { return false }
        return frames[..<entry].allSatisfy { $0.origin != .user || isOurs(module: $0.module) }
    }
}
