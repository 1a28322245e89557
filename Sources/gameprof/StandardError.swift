import Foundation
import GameprofBasics

/// What the tool says beside its reports.
enum StandardError {
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// It is a terminal on which text may be replaced.
    static var takesEscapes: Bool {
        let environment = ProcessInfo.processInfo.environment
        return isTerminal && environment["TERM"] != "dumb" && (environment["NO_COLOR"] ?? "").isEmpty
    }

    /// Writes a line that begins with the tool's name. What the sentence names may come from the recorded program.
    static func say(_ sentence: String) { write("gameprof: \(PlainText.clean(sentence))\n") }

    /// Writes text as it stands. A closed standard error is no reason to fail.
    static func write(_ text: String) { _ = PipeOutput.write(Array(text.utf8), to: STDERR_FILENO) }
}

/// A share of long work, shown in place on a terminal and nowhere else.
struct Progress {
    private let title: String
    private let isShown: Bool

    init(_ title: String, isQuiet: Bool) {
        self.title = title
        isShown = !isQuiet && StandardError.takesEscapes
    }

    func show(_ share: Double) {
        if isShown { StandardError.write("\r\(title) \(Int(share * 100)) %\u{1b}[K") }
    }

    func clear() {
        if isShown { StandardError.write("\r\u{1b}[K") }
    }
}
