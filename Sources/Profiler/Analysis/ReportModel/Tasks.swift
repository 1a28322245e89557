extension Report {
    /// The Swift tasks that had not ended at the last sound snapshot, as far as a report lists them: `gameprof tasks` lists all.
    public struct Tasks: Codable, Hashable, Sendable {
        public var count: Int
        /// Those among them that nothing can resume.
        public var neverResuming: Int
        /// Tasks that have ended, and whose memory something still holds.
        public var ended: Int
        /// The largest first; of the tasks of one group some numbers.
        public var groups: [TaskReport.Group]
        /// What the list leaves out; absent when it has all.
        public var omitted: Omitted?
        public var mailboxes: [TaskReport.Mailbox]?
        public var finishedChildren: [TaskReport.FinishedChildren]?
        /// The heap was so large that the tasks were not looked at; absent otherwise.
        public var unexamined: Bool?

        public struct Omitted: Codable, Hashable, Sendable {
            public var groups: Int
            public var tasks: Int
        }

        /// More groups are left out.
        package static let groupLimit = 20
        /// More numbers, names and threads of a group are left out, and more rows of the other lists.
        package static let itemLimit = 100

        package init(_ report: TaskReport) {
            (count, neverResuming, ended) = (report.count, report.neverResuming, report.ended)
            groups = report.groups.prefix(Self.groupLimit).map { group in
                var group = group
                group.ids = Array(group.ids.prefix(Self.itemLimit))
                group.names = Array(group.names.prefix(Self.itemLimit))
                group.threads = Array(group.threads.prefix(Self.itemLimit))
                return group
            }
            let rest = report.groups.dropFirst(Self.groupLimit)
            omitted = rest.isEmpty ? nil : Omitted(groups: rest.count, tasks: rest.reduce(0) { $0 + $1.count })
            mailboxes = report.mailboxes.map { Array($0.prefix(Self.itemLimit)) }
            finishedChildren = report.finishedChildren.map { Array($0.prefix(Self.itemLimit)) }
        }
    }
}
