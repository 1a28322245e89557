extension Report {
    /// What a recording does not show, and why a conclusion was not drawn.
    package enum Problem: Hashable, Sendable {
        /// The recording covers so many seconds up to the program's end.
        case ended(End, seconds: Double)
        /// What the search for leaks found could not be stored.
        case leaksNotStored
        case leaksNotSearched
        case leaksSearchedBeforeEnd(seconds: Double)
        /// When the signal came that ended the program.
        case leaksSearchedAtSignal
        /// `isLastOnly`: an earlier snapshot could be used.
        case unsoundSnapshot(reason: String, isLastOnly: Bool)

        /// What of the process could not be read, a clause.
        case unreadMemory(String)

        /// How a program ended that did not exit.
        package enum End: Hashable, Sendable {
            case signal(Int32)
            /// SIGKILL, while the kernel counted a process of its memory group that it ended because memory ran out.
            case outOfMemory
            /// `exit_group` without `exit`.
            case systemCall
            case notRecorded
        }
    }

    /// What the reader of a report should know.
    package enum Note: Hashable, Sendable {
        /// A snapshot of very many lost objects lists some of them. `unlisted`: those that stand in no finding.
        case lostObjectsSampled(total: UInt64, listed: Int, unlisted: Blocks?)
        /// Dead blocks whose use is not noticed any more.
        case quarantineOverflowed(evicted: UInt64, of: UInt64, limits: Blocks)
        case plainReadsUnnoticed(isGuarded: Bool)
        /// So many objects had no pages of their own after their deinit: unowned references kept their memory.
        case unownedKept(UInt64)
        /// So many objects had pages of their own: the first of each class and stack, and samples.
        case chosenObjectsGuarded(UInt64)
        case tooLargeForQuarantine(UInt64)
        case guarded(UInt64)
        /// So many sampled blocks had pages of their own, beside a recording of allocations or leaks.
        case samplesGuarded(UInt64)
        case guardsMissed(UInt64)
        /// A signal ended the program before its dead blocks were counted.
        case deadNotCounted
        /// How samples were taken, as the recorder says it.
        case sampling(method: String)
        case kernelTimeUnsampled(seconds: Double)
        case marksWithoutSnapshot
        case logLinesOmitted(Int)
        /// One was to fail, but the program made only so many of its own.
        case noAllocationFailed(of: UInt64)
        /// The list of objects has only those that were deallocated.
        case livingObjectsUnlisted
        /// So many intervals of that name were ended by another thread than the one that began them.
        case intervalsEndedElsewhere(name: String, UInt64)
    }

    /// Blocks and their bytes.
    package struct Blocks: Hashable, Sendable {
        package var count: UInt64
        package var bytes: UInt64
    }
}
