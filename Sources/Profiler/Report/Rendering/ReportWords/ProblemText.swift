import Foundation
import GameprofAnalysis
import GameprofBasics

/// What a recording does not show, in a sentence.
enum ProblemText {
    static func text(_ problem: Report.Problem) -> String {
        switch problem {
        case .ended(let end, let seconds):
            "\(text(end)): the recording covers the \(NumberFormat.seconds(seconds)) up to that moment."
        case .leaksNotStored:
            "There is no conclusion about leaks, because the result of the search at the end could not be stored."
        case .leaksNotSearched:
            "Leaks were not searched for. The search runs when the program ends by exit(), by returning from main, by "
                + "SIGINT or SIGTERM (a second signal cancels it), or by a fault (unless the program has restricted "
                + "its system calls). Let the program end in one of these ways, or search earlier with --snapshot-at "
                + "SECONDS or --snapshot-at USR1."
        case .leaksSearchedBeforeEnd(let seconds):
            "Leaks were searched for at \(NumberFormat.seconds(seconds)), not at the end."
        case .leaksSearchedAtSignal:
            "Leaks were searched for when the signal arrived. It is not known what the program would have lost later."
        case .unsoundSnapshot(let reason, let isLastOnly):
            "\(isLastOnly ? "The last heap snapshot gives no result" : "There is no conclusion about leaks"): "
                + "\(reason)."
        case .unreadMemory(let unread):
            "There is no conclusion about leaks: \(unread). What was not read may refer to objects that nothing else "
                + "refers to, so these are not reported as lost. Types, counts and the holders that were read are "
                + "correct; cycles that own only themselves are warnings."
        }
    }

    private static func text(_ end: Report.Problem.End) -> String {
        switch end {
        case .signal(let signal):
            "The program was ended by signal \(signal) (\(String(cString: strsignal(signal))))"
        case .outOfMemory:
            "The program was ended by SIGKILL, when the kernel ended a process of its memory group because memory ran out"
        case .systemCall: "The program ended by a system call (exit_group) without exit()"
        case .notRecorded: "The program's end was not recorded"
        }
    }
}
