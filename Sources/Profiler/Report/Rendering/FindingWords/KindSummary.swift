import GameprofAnalysis

extension Finding.Kind {
    /// What findings of the kind have in common, as a sentence.
    package var summary: String {
        switch self {
        case .retainCycle: "Objects hold each other and are never freed."
        case .leak: "Nothing refers to an object any more, but it is never freed."
        case .overRetain: "An object was retained more often than it was released."
        case .rawLeak: "Memory was allocated and never freed."
        case .zombie: "A deallocated object was used."
        case .growth: "Objects accumulate with every repetition."
        case .reachableCycle: "An object holds itself until something breaks the cycle."
        case .abandoned: "Objects are kept alive only by registrations that they own or made themselves."
        case .accumulation: "A collection retains much of the heap and grew to the end of the run."
        case .descriptorLeak: "File descriptors are opened and never closed."
        case .lostMapping: "Nothing refers to mapped memory any more, but it is never unmapped."
        case .unjoinedThread: "Threads have ended, but nobody joined or detached them, so their stacks stay."
        case .deinitialised: "Unowned references keep the memory of deinitialised objects."
        case .outlived: "An object is still live although the program expected it to be deallocated."
        }
    }

    /// How an instance came about where `allocatedBy` says, when not by an allocation: `opened` for a descriptor.
    package var origin: String? {
        switch self {
        case .descriptorLeak: "opened"
        case .lostMapping: "mapped"
        case .unjoinedThread: "started"
        default: nil
        }
    }
}
