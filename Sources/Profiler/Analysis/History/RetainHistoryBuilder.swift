import GameprofBasics
import GameprofTrace

/// Tells the history of one object in a report: what matters of it, and who is to be asked.
struct RetainHistoryBuilder {
    /// What the finding is about.
    enum Question {
        /// The object died and was used: which release had no retain?
        case overRelease
        /// The object is kept by nobody and lives: which retain had no release?
        case overRetain
        /// Nothing is to be pinned on anybody.
        case none
    }

    private let lives: ObjectLifetimes
    /// Nothing later is told, in nanoseconds since recording began: the time of a snapshot.
    var end = UInt64.max
    private let symbolicator: any Symbolicating
    private static let shown = 24
    private static let suspects = 3

    init(recording: Recording, symbolicator: any Symbolicating) {
        lives = ObjectLifetimes(recording.countChanges)
        self.symbolicator = symbolicator
    }

    var isEmpty: Bool { lives.isEmpty }

    /// The history of the object of this type at this address; nil when nothing was seen of it. `user`: the function that
    /// used it when it was dead.
    func history(
        of object: UInt64, type: TypeID, before time: UInt64? = nil, asking question: Question, user: String? = nil
    ) -> AnalyzedHistory? {
        let life = lives.life(of: object, type: type, before: time ?? end)
        guard !life.isEmpty else { return nil }
        symbolicator.prepare(stacks: Set(life.map(\.stack)), addresses: [])
        let steps = RefCountEvent.steps(of: life, stack: symbolicator.stack)
        let pairing = OwnershipPairing(steps)
        let doubt = user.flatMap(FunctionName.enclosingType).flatMap { type in
            pairing.doubtful.last { steps[$0.loss].enclosingType == type }
        }
        let gains = Array(pairing.gains.suffix(Self.suspects))
        let rivals = question == .overRetain ? Set(gains.flatMap(pairing.rivals)).subtracting(gains) : []
        let suspects =
            switch question {
            // With each release that had no retain of its own one owner's is used up: the last one took the last.
            case .overRelease: Set(pairing.losses.isEmpty ? (doubt.map { [$0.loss] } ?? []) : pairing.losses.suffix(1))
            case .overRetain: Set(rivals.isEmpty ? gains : [])
            case .none: Set<Int>()
            }
        let candidates = rivals.isEmpty ? [] : rivals.union(gains)
        let kept = Set(positions(steps, pairing, suspects.union(candidates)))
        var changes = kept.sorted().map { change(steps[$0], isSuspect: suspects.contains($0)) }
        if let died = life.last(where: { $0.kind == .died }) {
            changes.append(change(died, kind: .deallocated, isSuspect: false))
        }
        let omitted = steps.indices.reduce(0) { kept.contains($1) ? $0 : $0 + steps[$1].weight }
        return AnalyzedHistory(
            facts: CountHistory(changes: changes, omitted: omitted),
            conclusion: candidates.isEmpty
                ? conclusion(steps, suspects, question: question, doubt: pairing.losses.isEmpty ? doubt : nil)
                : .oneUnreleased(sites(steps, ranked(candidates, steps))))
    }

    /// All of a short history; of a long one first what does not balance within a function.
    private func positions(_ steps: [RefCountEvent], _ pairing: OwnershipPairing, _ suspects: Set<Int>) -> [Int] {
        guard steps.count > Self.shown else { return Array(steps.indices) }
        let telling = steps.indices.filter { !pairing.isLocal($0) || suspects.contains($0) }
        guard telling.count > Self.shown else { return telling }
        let ends = telling.prefix(Self.shown / 4) + telling.suffix(Self.shown / 2)
        return Array(ends) + suspects
    }

    private func change(_ step: RefCountEvent, isSuspect: Bool) -> CountHistory.Change {
        let kind: CountHistory.Kind =
            if step.isUnseen {
                .unseen
            } else if step.record.kind == .born {
                .allocated
            } else {
                step.direction == .gain ? .retain : .release
            }
        return change(step.record, kind: kind, times: step.weight, isSuspect: isSuspect)
    }

    private func change(
        _ record: CountChangeRecord, kind: CountHistory.Kind, times: Int = 1, isSuspect: Bool
    ) -> CountHistory.Change {
        CountHistory.Change(
            kind: kind, strong: Int(record.strong), times: times > 1 ? times : nil,
            seconds: Seconds.of(record.time), suspect: isSuspect,
            by: CallStack(symbolicator.stack(record.stack)))
    }

    /// The compiler releases what it allocates: it stands last, and the latest retain first.
    private func ranked(_ candidates: Set<Int>, _ steps: [RefCountEvent]) -> [Int] {
        candidates.sorted { left, right in
            let areBorn = [left, right].map { steps[$0].record.kind == .born }
            return areBorn[0] == areBorn[1] ? left > right : areBorn[1]
        }
    }

    private func sites(_ steps: [RefCountEvent], _ positions: [Int]) -> [Finding.Site] {
        positions.map { position in
            let frame = symbolicator.stack(steps[position].record.stack).innermostUser
            return Finding.Site(function: frame.map { FunctionName.display($0.function) }, place: frame?.place)
        }
    }

    private func conclusion(
        _ steps: [RefCountEvent], _ suspects: Set<Int>, question: Question, doubt: OwnershipPairing.Doubt?
    ) -> CountHistory.Conclusion? {
        let sites = sites(steps, suspects.sorted())
        switch question {
        case .overRelease:
            if let doubt {
                let taker = symbolicator.stack(steps[doubt.gain].record.stack).innermostUser
                return .releaseOfAnothers(
                    sites, taker: taker.map { FunctionName.display($0.function) },
                    user: steps[doubt.loss].enclosingType)
            }
            return sites.isEmpty ? .unownedUse : .unownedRelease(sites)
        case .overRetain: return sites.isEmpty ? .balanced : .unreleasedRetain(sites)
        case .none: return nil
        }
    }
}

/// A history without its words.
struct AnalyzedHistory {
    var facts: CountHistory
    /// Nil: nothing was asked.
    var conclusion: CountHistory.Conclusion?
}

extension AnalyzedFinding {
    /// Adds what was recorded of the object's counts. Where that shows who is to blame, it is the remedy.
    mutating func add(_ history: AnalyzedHistory?) {
        facts.history = history?.facts
        conclusion = history?.conclusion
        guard let history, let conclusion = history.conclusion else { return }
        if case .oneUnreleased = conclusion {
            remedy = .balanceCounts(conclusion)
        } else if history.facts.changes.contains(where: \.suspect) {
            remedy = .balanceCounts(conclusion)
        }
    }
}
