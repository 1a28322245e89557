import Foundation
import GameprofAnalysis
import GameprofBasics

/// What a recording does not show, in a sentence.
enum ProblemText {
    static func text(_ problem: Report.Problem) -> String {
        switch problem {
        case .ended(let end, let seconds):
            "\(text(end)): the recording covers the \(NumberFormat.seconds(seconds)) up to then."
        case .leaksNotStored: "No conclusion about leaks: what the search at the end found could not be stored."
        case .leaksNotSearched:
            "Leaks were not searched for: that is done when the program ends by exit(), by returning from main, by "
                + "SIGINT or SIGTERM (once: a second one gives the search up), or by a fault (unless it has restricted its system "
                + "calls). Let it end so, or search before with --snapshot-at SECONDS or --snapshot-at USR1."
        case .leaksSearchedBeforeEnd(let seconds):
            "Leaks were searched for at \(NumberFormat.seconds(seconds)), not at the end."
        case .leaksSearchedAtSignal:
            "Leaks were searched for when the signal came: what the program would still have lost is not known."
        case .unsoundSnapshot(let reason, let isLastOnly):
            "\(isLastOnly ? "The last heap snapshot gives no result" : "No conclusion about leaks"): \(reason)."
        case .unreadMemory(let unread):
            "No conclusion about leaks: \(unread). What nothing else names may be named from there, and is not reported as "
                + "lost. Types, counts and the holders that were read are right; cycles that own themselves alone are warnings."
        }
    }

    private static func text(_ end: Report.Problem.End) -> String {
        switch end {
        case .signal(let signal):
            "The program was ended by signal \(signal) (\(String(cString: strsignal(signal))))"
        case .systemCall: "The program ended by a system call (exit_group) without exit()"
        case .notRecorded: "The program's end was not recorded"
        }
    }
}
