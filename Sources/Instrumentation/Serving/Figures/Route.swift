/// What a request asks for.
package enum Route: Equatable {
    case index, commandLine, heap, allocations, metrics
    /// For so many seconds.
    case profile(seconds: Int)
    /// Status and reason.
    case refused(Int, String)

    static let longestProfile = 300
    private static let usualProfile = 30
    private static let longestTarget = 2048

    package init(_ target: String) {
        guard target.utf8.count <= Self.longestTarget else {
            self = .refused(414, "The request is too long.")
            return
        }
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = parts.count > 1 ? Self.pairs(parts[1]) : [:]
        switch parts[0] {
        case "/debug/pprof", "/debug/pprof/": self = .index
        case "/debug/pprof/cmdline": self = .commandLine
        case "/debug/pprof/heap": self = Self.profile(.heap, query)
        case "/debug/pprof/allocs": self = Self.profile(.allocations, query)
        case "/debug/pprof/profile": self = Self.cpuProfile(query["seconds"])
        case "/metrics": self = .metrics
        default: self = .refused(404, "Not found; /debug/pprof/ lists what there is.")
        }
    }

    /// Names and values; the last of a name counts.
    private static func pairs(_ query: Substring) -> [Substring: Substring] {
        var pairs: [Substring: Substring] = [:]
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            pairs[parts[0]] = parts.count > 1 ? parts[1] : ""
        }
        return pairs
    }

    private static func profile(_ route: Route, _ query: [Substring: Substring]) -> Route {
        if query["debug", default: "0"] != "0" {
            return .refused(400, "Only debug=0 is provided: the format of pprof.")
        }
        if query["seconds"] != nil {
            return .refused(400, "Differences over seconds are not provided; compare two profiles with -diff_base.")
        }
        return route
    }

    private static func cpuProfile(_ seconds: Substring?) -> Route {
        guard let seconds else { return .profile(seconds: usualProfile) }
        guard let count = Int(seconds), (1...longestProfile).contains(count) else {
            return .refused(400, "seconds is a whole number from 1 to \(longestProfile).")
        }
        return .profile(seconds: count)
    }
}
