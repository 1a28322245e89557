extension Finding {
    /// What to change in the program. Types are names with module; places are `File.swift:12`.
    package enum Remedy: Hashable, Sendable {
        // References of cycles.
        /// `orClear`: the property that leads to the closure. Where its caller needs more of it than that it can be called,
        /// that comes first.
        case captureWeakly(Captured, in: Closure, orClear: Property?, need: Need?)
        /// In the closure of a timer, which Foundation never frees.
        case captureWeaklyInTimer(Captured, closureAt: String?)
        case captureWeaklyInTask(Captured, task: Closure, isWaiting: Bool)
        /// End a task's wait.
        case endWait(Wait?, task: Closure)
        /// Resume or cancel what the task in the property waits for.
        case endWaitingTask(Property?, holding: Captured?)
        case replaceMethodReference(Closure)
        /// Clear the captured variable that holds the closure.
        case clearClosureVariable(Closure)
        /// End what a library runs until it is stopped.
        case endService(Service, madeAt: Site?)
        /// References of a library alone: undo the call that made them, when an object of the type, made there, is done.
        case undoLibraryCall(module: String?, of: String, madeAt: Site?)
        /// Declare a property weak. `path`: of the property from its object on. `orClear`: a collection that does it as
        /// well, where the property may be all that keeps what it refers to.
        case makeWeak(of: String, path: String, property: String, isCertain: Bool, orClear: Property?)
        case storeWeakReferences(Property)
        /// `holding`: what would do as well if the property's value held it weakly; nil: that is not proved.
        /// `isUntyped`: a value of the property's holds the target, by what is not known.
        case clear(Property, holding: Captured?, isUntyped: Bool)
        /// A property that cannot be declared weak.
        case end(Property)
        case weakenOneSide
        /// Of a cycle behind a pointer: only when the owner of the pointer is done.
        case clearAfterOperation(Property?)
        /// An object of a library keeps one of the program's: end it. `keeper`: its type.
        case endKeeper(String?, of: String, closureAt: String?)

        // What nothing refers to.
        case releaseRetains(UInt32)
        /// Its last holder went and did not release it. `maker`: the other type whose initialiser made it. `isRetainable`:
        /// code may have retained it by hand.
        case releaseLost(maker: String?, isRetainable: Bool)
        /// `maker`: the function that made it.
        case free(maker: String?)
        case endTask

        // Uses of deallocated objects.
        case weakenUnowned(type: String)
        case guardType(String, lastRelease: Site)
        case freeOnce(lastRelease: Site)
        case releaseOwnedOnly(type: String, by: Site)
        case holdWhileUsed(type: String, lastRelease: Site)

        /// Do not hand out an object in its own deinit.
        case keepOutOfDeinit(type: String, holder: String?)

        case boundGrowth
        case closeDescriptor(openedIn: String?)
        /// Weaken the unowned reference, or let go of what has it; nil: closures capture it.
        case dropUnowned(Property?)
        /// End what keeps an object by a closure of its own.
        case endRegistration(Registration, of: String, in: Closure?)
        case letGo(type: String, expectedAt: String?)
        /// What the recorded retains and releases show.
        case balanceCounts(CountHistory.Conclusion)
    }

    /// What a closure is registered with.
    package enum Registration: Hashable, Sendable {
        case observer, timer, dispatchSource, task, cancelledWorkItem, other
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
    }

    /// A stored property of a type.
    package struct Property: Hashable, Sendable {
        package var type: String
        package var name: String
        /// Declared with `let`.
        package var isConstant: Bool = false
    }

    /// A place in a function; nil: not known.
    package struct Site: Hashable, Sendable {
        package var function: String?
        package var place: String?
    }

    /// What a task waits for.
    package enum Wait: Hashable, Sendable {
        /// Whose elements come from the property.
        case stream(Property?)
        case continuation(Property)
    }

    /// What runs until it is ended.
    package enum Service: Hashable, Sendable {
        case dispatchSource, workItem, stream
    }
}
