import GameprofAnalysis
import GameprofBasics

/// What the reader of a report should know, in a sentence.
enum NoteText {
    static func text(_ note: Report.Note) -> String {
        switch note {
        case .lostObjectsSampled(let total, let listed, let unlisted):
            return
                "\(NumberFormat.count(Int(clamping: total))) objects are lost; \(NumberFormat.count(listed)) of them were "
                + "examined one by one. Counts and bytes are exact for each type and stack that allocated it; how they "
                + "are shared among findings of one type and stack is estimated."
                + (unlisted.map { rest in
                    " \(NumberFormat.count(Int(clamping: rest.count))) of them (\(NumberFormat.bytes(rest.bytes))) are "
                        + "reachable only from other lost objects and are in no finding."
                } ?? "")
        case .quarantineOverflowed(let evicted, let quarantined, let limits):
            return
                "\(NumberFormat.count(evicted)) of \(NumberFormat.count(quarantined)) quarantined blocks left the quarantine (limits: "
                + "\(NumberFormat.bytes(limits.bytes)), \(NumberFormat.count(limits.count)) blocks): later uses are not "
                + "detected, or are attributed to the next block at that address."
        case .plainReadsUnnoticed(let isGuarded):
            return "A read or write of a plain number through a stale pointer is detected only in a block with "
                + "pages of its own\(isGuarded ? "." : ": use --guard.")"
        case .unownedKept(let count):
            return
                "\(NumberFormat.count(Int(clamping: count), "object")) stayed in memory after the deinit because of "
                + "unowned references. During that time, method calls, retains and plain numbers of such objects were "
                + "not checked, with or without --guard."
        case .chosenObjectsGuarded(let count):
            return
                "\(NumberFormat.count(count, "object")) had pages of their own: the first of each class and allocation stack, "
                + "and a sample of the rest. A plain number read through a stale pointer to another object is not "
                + "detected: --guard=TYPES gives pages to all objects of a class."
        case .tooLargeForQuarantine(let count):
            return
                "\(NumberFormat.count(count, "block")) did not fit into the quarantine. Later uses of such blocks are "
                + "not detected."
        case .guarded(let count): return "\(NumberFormat.count(count, "object")) had pages of their own."
        case .samplesGuarded(let count):
            return
                "\(NumberFormat.count(count)) sampled blocks had pages of their own. Their uses after deallocation "
                + "are reported; uses of other blocks are not detected."
        case .guardsMissed(let count):
            return
                "\(NumberFormat.count(count, "object")) should have had pages of their own, but they were larger than "
                + "a page, there were too many of them, or the kernel allowed no more mappings."
        case .deadNotCounted:
            return
                "A signal ended the program before its quarantine was checked. It is not known how many blocks had "
                + "left it, or which of the others were written to."
        case .sampling(let method): return method
        case .kernelTimeUnsampled(let seconds):
            return
                "\(NumberFormat.seconds(seconds)) of the CPU time was spent in the kernel without a sample. The "
                + "percentages refer to the rest."
        case .marksWithoutSnapshot:
            return "There is no heap snapshot, so it is not known what remained after the marks."
        case .logLinesOmitted(let count):
            return "\(NumberFormat.count(count, "more line")) of the debug log \(count == 1 ? "is" : "are") left out."
        case .noAllocationFailed(let count):
            return "No allocation was made to fail: the program's own code made only \(NumberFormat.count(count))."
        case .livingObjectsUnlisted:
            return
                "The program ended before its recorder could finish. Objects that were live at that moment are not "
                + "listed."
        case .intervalsEndedElsewhere(let name, let count):
            let intervals = count == 1 ? "interval \(name) was" : "intervals \(name) were"
            return
                "\(NumberFormat.count(count)) \(intervals) ended by a different thread than the one that began "
                + "\(count == 1 ? "it and is" : "them and are") not measured. Use Probe.begin, whose token any thread "
                + "may end."
        }
    }
}
