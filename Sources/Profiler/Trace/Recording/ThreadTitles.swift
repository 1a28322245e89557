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
        var titles = names
        // In the order in which they began.
        let others = names.keys.filter { $0 != main && unnamed.contains(names[$0] ?? "") }.sorted()
        for (number, id) in zip(2..., others) { titles[id] = "\(number)" }
        titles[main] = "main"
        return titles
    }
}
