import GameprofBasics

/// The runs of one scenario on one branch in the order of the commits.
public struct Timeline: Sendable {
    /// A commit with its runs.
    public struct Commit: Sendable {
        public var name: String
        /// Seconds since 1970.
        public var committed: Int64
        public var runs: [Run]
    }

    public var commits: [Commit]

    /// `runs` in the order in which they were added, which decides between commits of the same second.
    public init(_ runs: [Run]) {
        var places: [String: Int] = [:]
        var commits: [Commit] = []
        for run in runs {
            if let place = places[run.origin.commit] {
                commits[place].runs.append(run)
                // A commit has one date; where results disagree the earliest orders it, whatever was added first.
                commits[place].committed = min(commits[place].committed, run.origin.committed)
            } else {
                places[run.origin.commit] = commits.count
                commits.append(Commit(name: run.origin.commit, committed: run.origin.committed, runs: [run]))
            }
        }
        self.commits = commits.enumerated()
            .sorted { ($0.element.committed, $0.offset) < ($1.element.committed, $1.offset) }.map(\.element)
    }

    public var runCount: Int { commits.reduce(0) { $0 + $1.runs.count } }

    /// The same commits with the runs that match, without those that have none then.
    public func filter(_ isIncluded: (Run) -> Bool) -> Timeline {
        var result = self
        result.commits = commits.compactMap { commit in
            var commit = commit
            commit.runs = commit.runs.filter(isIncluded)
            return commit.runs.isEmpty ? nil : commit
        }
        return result
    }
}

/// A commit and the figure's values of all its complete runs.
public struct FigurePoint: Hashable, Sendable {
    public var commit: String
    public var committed: Int64
    /// Not empty.
    public var values: [Double]

    public init(commit: String, committed: Int64, values: [Double]) {
        self.commit = commit
        self.committed = committed
        self.values = values
    }
}

extension Timeline {
    /// The values of a figure, commit by commit.
    public func points(of figure: String) -> [FigurePoint] {
        commits.compactMap { commit in
            let values = commit.runs.filter(\.isComplete)
                .flatMap { run in run.figures.filter { $0.name == figure }.flatMap(\.values) }
            return values.isEmpty
                ? nil : FigurePoint(commit: commit.name, committed: commit.committed, values: values)
        }
    }

    /// Names and units of all figures, in the order of their first appearance.
    public var figures: [(name: String, unit: MeasureUnit)] {
        var names: Set<String> = []
        return commits.flatMap(\.runs).flatMap(\.figures).filter { names.insert($0.name).inserted }
            .map { ($0.name, $0.unit) }
    }
}
