extension Finding {
    /// What to change in the program. Types are names with module; places are `File.swift:12`.
    package enum Remedy: Hashable, Sendable {
        // References of cycles.
        /// `orClear`: the property that leads to the closure. Where its caller needs more of it than that it can be called,
        /// that comes first.
        case captureWeakly(Captured, in: Closure, orClear: Property?, need: Need?)
        /// In the closure of a timer, which Foundation never frees.
        case captureWeaklyInTimer(Captured, closureAt: String?)
        case captureWeaklyInTask(Captured, task: Closure, isWaiting: Bool, handle: Property?)
        /// End a task's wait. `handle`: the property that has the task.
        case endWait(Wait?, task: Closure, handle: Property?)
        /// Resume or cancel what the task in the property waits for.
        case endWaitingTask(Property?, holding: Captured?)
        case replaceMethodReference(Closure)
        /// Clear the captured variable that holds the closure.
        case clearClosureVariable(Closure)
        /// End what a library runs until it is stopped.
        case endService(Service, madeAt: Site?)
        /// References of a library alone: undo the call that made them, when an object of the type, made there, is done.
        case undoLibraryCall(module: String?, of: String, madeAt: Site?)
        /// Declare a property weak. `orElse`: the others that may be the ones. `orClear`: a collection that does it as well,
        /// where the property may be all that keeps what it refers to.
        case makeWeak(Property, isInExistential: Bool, orElse: [Property], orClear: Property?)
        case storeWeakReferences(Property)
        /// `holding`: what would do as well if the property's value held it weakly; nil: that is not proved.
        /// `isUntyped`: a value of the property's holds the target, by what is not known.
        case clear(Property, holding: Captured?, isUntyped: Bool)
        case weakenOneSide
        /// Of a cycle behind a pointer: only when the owner of the pointer is done.
        case clearAfterOperation(Property?)
        /// An object of a library keeps one of the program's: end it. `keeper`: its type.
        case endKeeper(String?, of: String, closureAt: String?)

        // What nothing refers to.
        case releaseRetains(UInt32, among: CountedByHand?)
        /// Its last holder went and did not release it. `maker`: the other type whose initialiser made it. `isRetainable`:
        /// code may have retained it by hand.
        case releaseLost(maker: String?, isRetainable: Bool, among: CountedByHand?)
        /// `maker`: the function that made it.
        case free(maker: String?)
        case endTask(Closure, waitingFor: StuckWait.Kind)

        // Uses of deallocated objects.
        case weakenUnowned(type: String)
        case guardType(String, lastRelease: Site)
        case freeOnce(lastRelease: Site)
        /// It is referred to still by `heldBy`, or by `again`, who released it when it was dead.
        case releaseOnce(heldBy: String?, lastRelease: Site, again: String?)
        case holdWhileUsed(type: String, lastRelease: Site)

        /// Do not hand out an object in its own deinit.
        case keepOutOfDeinit(type: String, holder: String?)

        case boundGrowth
        case closeDescriptor(openedIn: String?)
        /// Unmap what the function maps.
        case unmap(maker: String?)
        /// Join or detach the threads that the function makes.
        case joinOrDetach(maker: String?)
        /// Weaken the unowned reference, or let go of what has it; nil: closures capture it.
        case dropUnowned(Property?)
        /// End what keeps an object by a closure of its own. `entryOf`: the program's collection that has it.
        case endRegistration(Registration, of: String, in: Closure?, entryOf: Property?)
        case letGo(type: String, expectedAt: String?)
        /// What the recorded retains and releases show.
        /// `heldBy`: what still refers to the object.
        case balanceCounts(CountHistory.Conclusion, heldBy: String?)

        /// Where the sources count references by hand, of a remedy that names it.
        package var countedByHand: CountedByHand? {
            switch self {
            case .releaseRetains(_, let places), .releaseLost(_, _, let places): places
            default: nil
            }
        }
    }

    /// What a closure is registered with.
    package enum Registration: Hashable, Sendable {
        case observer, timer, dispatchSource, task, cancelledWorkItem, other
    }

    /// Places in sources where references are counted by hand.
    package struct CountedByHand: Hashable, Sendable {
        /// `Unmanaged.passRetained` and `retain()`.
        package var retains: [String]
        /// `deallocate()` of memory whose elements nothing has taken out in the lines before.
        package var deallocations: [String]
        /// Calls that copy bytes (`memcpy`), in sources that deallocate memory.
        package var copies: [String] = []

        package var isEmpty: Bool { retains.isEmpty && deallocations.isEmpty && copies.isEmpty }

        package init(retains: [String], deallocations: [String], copies: [String] = []) {
            (self.retains, self.deallocations, self.copies) = (retains, deallocations, copies)
        }
    }

    /// What would be missing if what a closure captures were gone.
    package enum Need: Hashable, Sendable {
        /// Its result.
        case value
        /// What it is kept to do later.
        case work
    }

    /// What a closure captures.
    package enum Captured: Hashable, Sendable {
        case selfReference
        case object(type: String)
    }

    /// A closure, or a task, where it is known: its place, or the name of its function.
    package struct Closure: Hashable, Sendable {
        package var place: String?
        package var name: String?
        /// The function in which a task waits that can never resume; nil: not known, or no task.
        package var waitsIn: String? = nil
    }

    /// A stored property of a type.
    package struct Property: Hashable, Sendable {
        package var type: String
        package var name: String
        /// Declared with `let`.
        package var isConstant: Bool = false
        package var form: Form = .unknown
        /// What its type is, as far as that says how it lets go of its value.
        package enum Form: Hashable, Sendable {
            case unknown, optional, collection
            /// A closure that returns nothing.
            case function
            case lazy
            /// A mutex around a value that can be emptied.
            case locked
            case enumeration
            case other
        }

        /// A statement can do it, and the declaration stays.
        package var canBeCleared: Bool { form == .locked || !isConstant && form != .other }
    }

    /// An object of a finding, and the place in the user's code that makes it; nil: there are several, or none is known.
    package struct Instance: Hashable, Sendable {
        package var type: String
        package var place: String?

    }

    /// A place in a function; nil: not known.
    package struct Site: Hashable, Sendable {
        package var function: String?
        package var place: String?
        /// Who called the function, with the place.
        package var caller: String? = nil
    }

    /// A function that took apart what objects held, and where it was called.
    package struct ReleasingCall: Hashable, Sendable {
        package var function: String
        package var from: Site
    }

    /// What a task waits for.
    package enum Wait: Hashable, Sendable {
        /// Whose elements come from the property.
        case stream(Property?)
        case continuation(Property)
    }

    /// What a task waits for that can never resume.
    package struct StuckWait: Hashable, Sendable {
        package enum Kind: Hashable, Sendable {
            case continuation, stream, tasks
            /// An executor of this type is to run it.
            case executor(String)
        }

        package var kind: Kind
        /// Nil: the function that waits is not known.
        package var site: Site?
    }

    /// What runs until it is ended.
    package enum Service: Hashable, Sendable {
        case dispatchSource, workItem, stream
    }
}
