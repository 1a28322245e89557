extension Finding {
    /// What happened.
    package enum Cause: Hashable, Sendable {
        /// The objects of the references hold each other, and nothing else holds them. `suspect`: why the last reference
        /// is the one to change.
        case retainCycle(suspect: Reference.Suspicion.Reason?)
        /// The same, but a closure, a task or an object of a library still leads there.
        case reachableCycle(suspect: Reference.Suspicion.Reason?)
        /// The same, but a pointer without a retain still leads there.
        case cycleBehindPointer
        /// Nothing refers to an object, and a retain of it was never released.
        case lostObject
        /// A task waits, and nothing that could resume it is left. `site`: where.
        case stuckTask(Site?)
        /// An object has more retains than references.
        case overRetain(excess: UInt32)
        /// Nothing refers to a block that is no Swift object. `maker`: the function that allocated it.
        case lostMemory(maker: String?)
        /// An object was used after it was deallocated. `deallocator`: the function that gave up the last reference.
        case useAfterDeallocation(Operation, member: String?, deallocator: String?)
        /// The runtime ended the program because a reference that an object's deinit had made outlived it. `holder`: what has
        /// the reference.
        case escapedDeinit(holder: String?)
        /// More and more objects are reachable; the finding's growth says how fast.
        case growth
        /// An object lives although the program expected it to be deallocated, at a place `File.swift:12`.
        case outlived(expectedAt: String?)
        /// Objects live only through registrations that they own or made themselves, or that were cancelled. `holder`: what
        /// has the registrations.
        case abandoned(holder: String?, through: Registration)
        /// A collection keeps that share of the heap's bytes, and its elements came until the end.
        case accumulation(holder: String?, share: Double)
        /// One stack opens files and nobody closes them. `files`: names of some. `opened`: by the stack, in all. `exhausts`: no
        /// descriptor was left.
        case unclosedDescriptors(files: [String], opened: UInt64, maker: String?, exhausts: Bool)
        /// Nothing refers to memory that was mapped without malloc. `path`: of the file, "" of none; nil: of several. `resident`:
        /// bytes of all.
        case lostMappings(path: String?, maker: String?, resident: UInt64)
        /// Threads have ended that nobody has joined, nor can. `resident`: bytes of their stacks.
        case unjoinedThreads(maker: String?, resident: UInt64)
        /// Their deinit has run, and the finding's reference keeps their memory.
        case deinitialised

        package var kind: Kind {
            switch self {
            case .retainCycle: .retainCycle
            case .reachableCycle, .cycleBehindPointer: .reachableCycle
            case .lostObject, .stuckTask: .leak
            case .overRetain: .overRetain
            case .lostMemory: .rawLeak
            case .useAfterDeallocation, .escapedDeinit: .zombie
            case .growth: .growth
            case .outlived: .outlived
            case .abandoned: .abandoned
            case .accumulation: .accumulation
            case .unclosedDescriptors: .descriptorLeak
            case .lostMappings: .lostMapping
            case .unjoinedThreads: .unjoinedThread
            case .deinitialised: .deinitialised
            }
        }
    }

    /// What else is known of a finding.
    package enum Circumstance: Hashable, Sendable {
        /// Of a library's objects: they keep an object of the program's of this type alive.
        case keeps(type: String)
        /// The function that made it had not returned when the program exited: it may still own it.
        case makerIsRunning(function: String)
        /// Which function made it is not known, and this one had not returned when the program exited: it may own it.
        case makerMayBeRunning(function: String)
        /// Not all memory of the process was read: a pointer without a retain may lead there.
        case memoryIsUnread
        /// An earlier heap snapshot shows it, the last does not.
        case isGone
    }

    /// How a deallocated object was used. Raw values are those of `Access.operation` in JSON.
    package enum Operation: String, Hashable, Sendable, CaseIterable {
        case methodCall = "method call"
        case methodCallOrTypeCheck = "method call or type check"
        case typeCheck = "cast or type check"
        case superclassLookup = "superclass lookup"
        case metadataRead = "type metadata read"
        case retain, release
        case uniquenessCheck = "uniqueness check"
        case weakReference = "weak reference"
        case unownedReference = "unowned reference"
        case unownedLoad = "unowned reference load"
        case referenceCounting = "reference counting"
        case propertyRead = "property read"
        case propertyWrite = "property write"
        case lateWrite = "write after deallocation"
        case free
        case resize = "realloc"
    }
}

extension Reference.Suspicion {
    /// Why a reference is the one to change. Raw values are those of `reason` in JSON.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        /// A closure that is a member of the target's type captures `self`.
        case closureCapturesSelf
        /// A method used as a closure holds its object.
        case methodReference
        case closureCaptures
        case taskCaptures
        /// A task that the holder keeps waits and holds the target meanwhile.
        case taskWaits
        /// The property's name says that it leads back to an owner.
        case backReferenceName
        /// The holder is made by the target.
        case madeByTarget
        /// A captured variable holds the closure that captures it.
        case variableHoldsClosure
        /// A single reference back to the owner of a collection.
        case pointsBackFromElement
        case anyOne
    }
}

extension CountHistory {
    /// What a history shows.
    package enum Conclusion: Hashable, Sendable {
        /// These releases have no retain of their own.
        case unownedRelease([Finding.Site])
        /// One of these has none, but which one is not known; in the order of time.
        case oneReleaseTooMany([Finding.Site])
        /// Nothing owns the object any more: the use was that of a reference that does not own.
        case unownedUse
        /// One of these retains has no release.
        /// `isByHand`: by `Unmanaged`, which the compiler does not balance.
        case unreleasedRetain([Finding.Site], isByHand: Bool)
        /// The reference with which it was made, here, was never given back: who took it over is not seen.
        case unreleasedBirth([Finding.Site])
        /// As well, but which one is not known; the likeliest first.
        case oneUnreleased([Finding.Site])
        case balanced
    }
}

extension LiveObjects {
    /// Whether what was asked for lives. `leaked`: objects that nothing can reach, which findings speak of.
    package enum Answer: Hashable, Sendable {
        /// No type matches.
        case noneLives(leaked: Int)
        case deallocated
        case live(leaked: Int)
        /// One object that was asked for by its address.
        case lives
        case isLeaked
    }
}
