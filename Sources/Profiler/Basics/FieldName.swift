/// Reads the labels of a snapshot and the paths made of them: `rows[…].owner`.
package enum FieldName {
    private static let lazyStorage = "$__lazy_storage_$_"

    /// "rows[…]", "owner" of "rows[…].owner".
    private static func parts(_ path: String) -> [Substring] { NameTokens.split(path, at: ".") }

    /// "link" of "link.child.of": the property that the way begins with.
    package static func property(of label: String) -> String {
        String(NameTokens.prefix(of: label[...], before: ".", "["))
    }

    /// The property, and its element where the way goes on in one: "rows[…]" of "rows[…].owner".
    package static func first(_ path: String) -> String { String(parts(path)[0]) }

    /// "owner" of "pair.owner": the property itself.
    package static func last(_ field: String) -> String { NameTokens.last(of: field) }

    /// Whether it is one property and nothing inside of it.
    package static func isSingle(_ path: String) -> Bool { parts(path).count == 1 }

    /// Whether it leads through an element of a collection.
    package static func hasElement(_ path: String) -> Bool { NameTokens(path).contains { $0.kind == .mark("[") } }

    /// "handler" for "handler.some", "image" for "$__lazy_storage_$_image": what the compiler adds is dropped.
    package static func clean(_ label: String) -> String {
        guard label.contains("$__lazy") || label.contains(".some") else { return label }
        return parts(label).enumerated().filter { $0.offset == 0 || $0.element != "some" }
            .map { source($0.element) }.joined(separator: ".")
    }

    /// How the source calls a property that a program calls `name`.
    ///
    /// - Parameter isObservable: its class is, whose macro stores properties under other names.
    package static func source(_ name: Substring, isObservable: Bool = false) -> String {
        // The compiler puts no backticks around what it makes of a raw identifier here.
        if name.hasPrefix(lazyStorage) { return Identifier.quoted(name.dropFirst(lazyStorage.count)) }
        let plain = Identifier.unquoted(name)
        guard isObservable, plain.hasPrefix("_"), !plain.hasPrefix("_$") else { return String(name) }
        return Identifier.quoted(plain.dropFirst())
    }

    /// Whether a program calls the storage of a `lazy var` so.
    package static func isLazy(_ name: String) -> Bool { name.hasPrefix(lazyStorage) }

    /// "part" of "_part.wrappedValue", the storage of a property wrapper; nil: it is none.
    package static func wrapped(_ path: String) -> String? {
        let storage = Identifier.unquoted(NameTokens.prefix(of: path[...], before: ".", "["))
        guard storage.hasPrefix("_"), parts(path).dropFirst().contains(where: { $0.hasPrefix("wrappedValue") }) else {
            return nil
        }
        return Identifier.quoted(storage.dropFirst())
    }

    /// The way `path` and behind it `rest`, which begins in what lies there: "rows[…].owner".
    package static func joined(_ path: String, _ rest: String) -> String {
        path.isEmpty || rest.isEmpty || rest.hasPrefix("[") ? path + rest : "\(path).\(rest)"
    }

    /// The way to an element, or in it to what has that label: "[…].owner".
    package static func inside(_ element: String, _ label: String) -> String {
        label.isEmpty ? element : "\(element).\(label)"
    }

    /// The way behind `start`, with which `path` begins.
    package static func rest(of path: String, behind start: String) -> String {
        let rest = Substring(path.utf8.dropFirst(start.utf8.count))
        return String(rest.hasPrefix(".") ? rest.dropFirst() : rest)
    }

    private static let backReferences: Set<String> = [
        "parent", "owner", "delegate", "datasource", "target", "superview", "container", "controller", "coordinator",
        "previous", "prev", "channel", "presenter", "host", "observer", "listener", "outer", "root", "manager",
        "context",
        "sender",
        "supervisor", "enclosing", "backreference", "up",
    ]

    /// The word that a name's meaning is read from.
    private static func word(_ part: Substring) -> String {
        Identifier.unquoted(part).drop { $0 == "_" }.lowercased()
    }

    /// Whether programmers usually mean a reference to the owner by such a name.
    package static func namesBackReference(_ field: String) -> Bool {
        let name = word(NameTokens.last(of: field)[...])
        if backReferences.contains(name) { return true }
        if ["parent", "owner", "delegate", "datasource"].contains(where: name.hasSuffix) { return true }
        // A value in such a property is one for the owner: "delegate.screen".
        return parts(field).dropLast().contains { part in
            ["delegate", "datasource"].contains(where: word(part).hasSuffix)
        }
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
        parts(path).contains { part in
            let name = word(NameTokens.prefix(of: part, before: "["))
            return work.contains(name) || workStarts.contains(where: name.hasPrefix)
                || workEnds.contains { name.hasSuffix($0) || name.hasSuffix($0 + "s") }
        }
    }

    private static let owned: Set<String> = [
        "next", "child", "children", "first", "head", "left", "right", "items", "elements", "nodes", "entries",
        "subviews",
    ]

    /// Whether programmers usually mean a reference to what the object owns by such a name.
    package static func namesPart(_ field: String) -> Bool { owned.contains(word(NameTokens.last(of: field)[...])) }
}
