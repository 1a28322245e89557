import GameprofBasics
import GameprofTrace

/// Tells the history of one object in a report: what matters of it, and who is to be asked.
struct RetainHistoryBuilder {
    /// What the finding is about.
    enum Question: Equatable {
        /// The object died and was used: which release had no retain? `excess`: how many were too many at least; nil: not known.
        /// `use`: by that release.
        case overRelease(excess: Int?, use: CountChangeRecord?)
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
    /// The most steps of a history in which a release is marked: the cost is the square of them.
    private static let markedMost = 4096
    /// Releases among which one is too many; more say nothing.
    private static let listedMost = 8
    private static let suspects = 3

    init(recording: Recording, symbolicator: any Symbolicating) {
        lives = ObjectLifetimes(recording.countChanges)
        self.symbolicator = symbolicator
    }

    var isEmpty: Bool { lives.isEmpty }

    /// The history of the object of this type at this address; nil when nothing was seen of it.
    func history(
        of object: UInt64, type: TypeID, before time: UInt64? = nil, asking question: Question
    ) -> AnalyzedHistory? {
        let life = lives.life(of: object, type: type, before: time ?? end)
        guard !life.isEmpty else { return nil }
        let others = life.compactMap(lives.change(before:))
        symbolicator.prepare(stacks: Set((life + others).map(\.stack)), addresses: [])
        let steps = RefCountEvent.steps(of: life, before: lives.change(before:), stack: symbolicator.stack)
        let pairing = OwnershipPairing(steps)
        let gains = Array(pairing.gains.suffix(Self.suspects))
        let rivals = question == .overRetain ? Set(gains.flatMap(pairing.rivals)).subtracting(gains) : []
        let excess = excessReleases(steps, question)
        let suspects =
            switch question {
            case .overRelease: Set(excess?.proved.filter(steps.indices.contains) ?? [])
            case .overRetain: Set(rivals.isEmpty ? gains : [])
            case .none: Set<Int>()
            }
        let candidates = rivals.isEmpty ? [] : rivals.union(gains)
        let shown = suspects.union(candidates).union(
            (excess?.positions.filter(steps.indices.contains) ?? []).prefix(Self.shown))
        let kept = Set(positions(steps, pairing, shown))
        var changes = kept.sorted().map { change(steps[$0], isSuspect: suspects.contains($0)) }
        if let died = life.last(where: { $0.kind == .died }) {
            changes.append(change(died, kind: .deallocated, isSuspect: false))
        }
        let omitted = steps.indices.reduce(0) { kept.contains($1) ? $0 : $0 + steps[$1].weight }
        return AnalyzedHistory(
            facts: CountHistory(changes: changes, omitted: omitted),
            conclusion: candidates.isEmpty
                ? conclusion(steps, suspects, question: question, excess)
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

    private func excessReleases(_ steps: [RefCountEvent], _ question: Question) -> ExcessReleases? {
        guard case .overRelease(let excess?, let use) = question, excess > 0, steps.count <= Self.markedMost else {
            return nil
        }
        let last = use.flatMap { RefCountEvent($0, stack: symbolicator.stack($0.stack)) }
        return ExcessReleases(steps + [last].compactMap(\.self), excess: excess)
    }

    private func conclusion(
        _ steps: [RefCountEvent], _ suspects: Set<Int>, question: Question, _ excess: ExcessReleases?
    ) -> CountHistory.Conclusion? {
        switch question {
        case .overRelease(0?, _): return .unownedUse
        case .overRelease:
            guard let excess, !excess.positions.isEmpty, excess.isProved || excess.sites.count <= Self.listedMost else {
                return nil
            }
            return excess.isProved ? .unownedRelease(excess.sites) : .oneReleaseTooMany(excess.sites)
        case .overRetain:
            let sites = sites(steps, suspects.sorted())
            guard !sites.isEmpty else { return .balanced }
            return suspects.allSatisfy { steps[$0].record.kind == .born }
                ? .unreleasedBirth(sites)
                : .unreleasedRetain(sites, isByHand: suspects.allSatisfy { steps[$0].isManual })
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
    /// Adds what was recorded of the object's counts. Where that shows who is to blame, it is the remedy, unless the sources
    /// count references by hand elsewhere: the compiler balances what it writes. `holder`: what still refers to the object.
    mutating func add(_ history: AnalyzedHistory?, heldBy holder: String? = nil) {
        facts.history = history?.facts
        conclusion = history?.conclusion
        guard let history, let conclusion = history.conclusion else { return }
        switch conclusion {
        case .unownedUse, .balanced, .unreleasedBirth: break
        case .unreleasedRetain(let sites, isByHand: false), .oneUnreleased(let sites):
            // With -O a retain may stand at its function's first line.
            let lines: ClosedRange<Int> = if case .oneUnreleased = conclusion { 0...0 } else { 0...2 }
            if let places = remedy.countedByHand,
                !sites.allSatisfy({ site in
                    places.retains.contains { Self.distance($0, after: site).map(lines.contains) ?? false }
                })
            {
                self.conclusion = nil
                break
            }
            remedy = .balanceCounts(conclusion, heldBy: holder)
        case .unownedRelease, .oneReleaseTooMany, .unreleasedRetain: remedy = .balanceCounts(conclusion, heldBy: holder)
        }
    }

    /// Lines from a site to a place `Board.swift:12` of the same file; nil: of another one.
    private static func distance(_ place: String, after site: Finding.Site) -> Int? {
        guard let other = site.place, let colon = place.lastIndex(of: ":"), let line = Int(place[colon...].dropFirst()),
            other.hasPrefix(place[...colon]), let from = Int(other.dropFirst(place[...colon].count))
        else { return nil }
        return line - from
    }
}
