import Foundation

/// How all reports call the threads of a program: `main`, by the name that a thread was given, else by a number. The kernel's name of
/// a thread that was given none is the program's; its own number differs in each run.
package enum ThreadTitles {
    /// Bytes of a name that the kernel keeps.
    private static let kept = 15

    /// - Parameter names: the kernel's.
    package static func of(_ names: [ThreadID: String], program: ProgramRecord?) -> [ThreadID: String] {
        guard let program, let main = UInt32(exactly: program.pid).map(ThreadID.init(rawValue:)) else { return names }
        let file = URL(filePath: program.executable).lastPathComponent
        let unnamed: Set = [String(decoding: file.utf8.prefix(kept), as: UTF8.self), names[main] ?? "", ""]
        var titles = names.mapValues(spelledOut)
        // In the order in which they began.
        let others = names.keys.filter { $0 != main && unnamed.contains(names[$0] ?? "") }.sorted()
        for (number, id) in zip(2..., others) { titles[id] = "\(number)" }
        titles[main] = "main"
        return titles
    }

    /// libdispatch names the workers of its pools by the last fifteen characters of their queue's label, of which the
    /// beginning is then missing: `oot.default-qos` of `com.apple.root.default-qos`.
    private static let labels = [
        "maintenance", "background", "utility", "default", "user-initiated", "user-interactive",
    ].flatMap { quality in
        ["", ".overcommit", ".cooperative"].map { (quality, "com.apple.root.\(quality)-qos\($0)") }
    }

    /// `dispatch pool (default)` for a worker of libdispatch's, any other name as it is.
    package static func spelledOut(_ name: String) -> String {
        guard name.utf8.count == 15 else { return name }
        let matches = labels.filter { $0.1.hasSuffix(name) }
        let qualities = Set(matches.map(\.0))
        guard let first = matches.first else { return name }
        let suffix = first.1.hasSuffix("-qos") ? nil : first.1.split(separator: ".").last.map(String.init)
        let kind = qualities.count == 1 ? first.0 : suffix
        return "dispatch pool" + (kind.map { " (\($0))" } ?? "")
    }
}
