/// When a defect came, went and came back on a branch.
public struct FindingLife: Hashable, Sendable {
    /// From the commit where it came to the one where it was gone.
    public struct Period: Hashable, Sendable {
        public var first: String
        public var last: String
        /// Runs that have it.
        public var runs: Int
        /// The first commit without it; nil: it is still there.
        public var resolved: String?
        /// The most instances in a run.
        public var most: Int64
    }

    public enum State: String, Hashable, Sendable, Codable {
        case open, returned, fixed
        /// It comes and goes without a pattern.
        case flaky
    }

    /// As the last run has it.
    public var finding: Run.Finding
    /// In order; not empty.
    public var periods: [Period]

    public var isOpen: Bool { current.resolved == nil }
    public var current: Period { periods[periods.count - 1] }
    public var firstSeen: String { periods[0].first }
    public var lastSeen: String { current.last }

    /// Four periods are more than anybody fixes and breaks again.
    public var state: State {
        periods.count > 3 ? .flaky : isOpen ? (periods.count > 1 ? .returned : .open) : .fixed
    }

    /// "since a1b2c3d, 12 runs"
    public var evidence: String {
        let runs = "\(current.runs) \(current.runs == 1 ? "run" : "runs")"
        switch state {
        case .open: return "since \(firstSeen.shortCommit), \(runs)"
        case .returned:
            return "returned at \(current.first.shortCommit), \(runs); "
                + "it was resolved at \(periods[periods.count - 2].resolved?.shortCommit ?? "?")"
        case .fixed:
            return "resolved at \(current.resolved?.shortCommit ?? "?"), first seen at \(firstSeen.shortCommit)"
        case .flaky: return "flaky: came \(periods.count) times since \(firstSeen.shortCommit)"
        }
    }
}

extension Timeline {
    /// The defects of the timeline, open ones first, then by the commit of their last appearance, the latest first.
    public var findings: [FindingLife] {
        var lives: [String: FindingLife] = [:]
        var order: [String: Int] = [:]
        for (number, commit) in commits.enumerated() {
            let found = Self.joined(commit.runs)
            for (signature, seen) in found {
                order[signature] = number
                add(seen, at: commit.name, to: &lives[signature])
            }
            let searched = Set(commit.runs.filter(\.isComplete).flatMap(\.instruments))
            for signature in lives.keys where found[signature] == nil {
                guard let life = lives[signature], life.isOpen, searched.contains(life.finding.instrument) else {
                    continue
                }
                lives[signature]?.periods[life.periods.count - 1].resolved = commit.name
            }
        }
        return lives.values.sorted {
            let (a, b) = (order[$0.finding.signature] ?? 0, order[$1.finding.signature] ?? 0)
            return ($0.isOpen ? 0 : 1, -a, $0.finding.signature) < ($1.isOpen ? 0 : 1, -b, $1.finding.signature)
        }
    }

    private typealias Seen = (finding: Run.Finding, runs: Int)

    private static func joined(_ runs: [Run]) -> [String: Seen] {
        runs.flatMap(\.findings).reduce(into: [:]) { seen, finding in
            guard let known = seen[finding.signature] else {
                seen[finding.signature] = (finding, 1)
                return
            }
            seen[finding.signature] = (known.finding.count >= finding.count ? known.finding : finding, known.runs + 1)
        }
    }

    private func add(_ seen: Seen, at commit: String, to life: inout FindingLife?) {
        let new = FindingLife.Period(first: commit, last: commit, runs: seen.runs, most: seen.finding.count)
        guard var known = life else {
            life = FindingLife(finding: seen.finding, periods: [new])
            return
        }
        known.finding = seen.finding
        if known.isOpen {
            let place = known.periods.count - 1
            known.periods[place].last = commit
            known.periods[place].runs += seen.runs
            known.periods[place].most = max(known.periods[place].most, seen.finding.count)
        } else {
            known.periods.append(new)
        }
        life = known
    }
}
