/// Turns the labels of a snapshot into the names that the programmer wrote.
package enum FieldName {
    private static let lazyStorage = "$__lazy_storage_$_"

    /// "link" of "link.child.of": the property that the way begins with.
    package static func property(of label: String) -> String { String(label.prefix { $0 != "." && $0 != "[" }) }

    /// "handler" for "handler.some", "image" for "$__lazy_storage_$_image": what the compiler adds is dropped.
    package static func clean(_ label: String) -> String {
        guard label.contains("$__lazy") || label.contains(".some") else { return label }
        let parts = label.split(separator: ".").map { part in
            part.hasPrefix(lazyStorage) ? part.dropFirst(lazyStorage.count) : part
        }
        let kept = parts.enumerated().filter { $0.offset == 0 || $0.element != "some" }.map(\.element)
        return kept.joined(separator: ".")
    }

    /// "owner" of "pair.owner": the property itself.
    package static func last(_ field: String) -> String { field.split(separator: ".").last.map(String.init) ?? field }

    private static let backReferences: Set<String> = [
        "parent", "owner", "delegate", "datasource", "target", "superview", "container", "controller", "coordinator",
        "previous", "prev", "channel", "presenter", "host", "observer", "listener", "outer", "root", "manager",
        "context",
        "sender",
        "supervisor", "enclosing", "backreference", "up",
    ]

    /// Whether programmers usually mean a reference to the owner by such a name.
    package static func namesBackReference(_ field: String) -> Bool {
        guard let last = field.split(separator: ".").last else { return false }
        let name = last.drop { $0 == "_" }.lowercased()
        if backReferences.contains(name) { return true }
        return ["parent", "owner", "delegate", "datasource"].contains { name.hasSuffix($0) }
    }

    private static let work: Set<String> = [
        "work", "then", "delayed", "awaiting", "waiters", "retries", "postponed", "backlog",
    ]
    private static let workStarts = ["pending", "queued", "deferred", "scheduled", "waiting", "completion"]
    private static let workEnds = [
        "queue", "scheduler", "executor", "dispatcher", "job", "task", "workitem", "operation", "command", "completion",
        "continuation", "promise", "future",
    ]

    /// Whether programmers usually keep closures under such a name that are still to be called, and once: that of a type or of
    /// a property on the way, "pending" of "pending[…].run".
    package static func namesWork(_ path: String) -> Bool {
        path.split { $0 == "." || $0 == "[" }.contains { part in
            let name = part.drop { $0 == "_" }.lowercased()
            return work.contains(name) || workStarts.contains(where: name.hasPrefix)
                || workEnds.contains { name.hasSuffix($0) || name.hasSuffix($0 + "s") }
        }
    }

    private static let parts: Set<String> = [
        "next", "child", "children", "first", "head", "left", "right", "items", "elements", "nodes", "entries",
        "subviews",
    ]

    /// Whether programmers usually mean a reference to what the object owns by such a name.
    package static func namesPart(_ field: String) -> Bool {
        parts.contains(last(field).drop { $0 == "_" }.lowercased())
    }
}
