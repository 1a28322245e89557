/// Names of threads as a person wants to read them.
enum ThreadNames {
    /// libdispatch names the workers of its pools by the last fifteen characters of their queue's label, of which the
    /// beginning is then missing: `oot.default-qos` of `com.apple.root.default-qos`.
    private static let labels = [
        "maintenance", "background", "utility", "default", "user-initiated", "user-interactive",
    ].flatMap { quality in
        ["", ".overcommit", ".cooperative"].map { (quality, "com.apple.root.\(quality)-qos\($0)") }
    }

    /// As `readable`, and the same for all that have a number only: where many threads are joined.
    static func joined(_ name: String) -> String {
        UInt32(name) == nil ? readable(name) : "threads without a name"
    }

    /// `dispatch pool (default)` for a worker of libdispatch's, `thread 3` for one that has a number only, any other name as it is.
    static func readable(_ name: String) -> String {
        if UInt32(name) != nil { return "thread \(name)" }
        guard name.utf8.count == 15 else { return name }
        let matches = labels.filter { $0.1.hasSuffix(name) }
        let qualities = Set(matches.map(\.0))
        guard let first = matches.first else { return name }
        let suffix = first.1.hasSuffix("-qos") ? nil : first.1.split(separator: ".").last.map(String.init)
        let kind = qualities.count == 1 ? first.0 : suffix
        return "dispatch pool" + (kind.map { " (\($0))" } ?? "")
    }
}
