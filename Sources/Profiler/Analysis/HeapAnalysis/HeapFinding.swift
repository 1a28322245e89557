/// A defect as the graph shows it: one component or one source, before equal ones are grouped.
struct HeapFinding: Sendable {
    enum Kind: String, Sendable {
        case retainCycle = "retain-cycle"
        case leak
        case overRetain = "over-retain"
        case rawLeak = "raw-leak"
        case reachableCycle = "reachable-cycle"
    }

    var kind: Kind
    /// The objects that are the defect itself, the most telling first.
    var members: [Int32]
    /// What they keep alive, each object with one finding only.
    var dependents: [Int32] = []
    /// Positions of the graph's edges along the chosen cycle, in order; empty where there is no cycle.
    var cycle: [Int32] = []
    /// Retains that no reference found accounts for.
    var excessRetains: UInt32 = 0
    /// Of a library's objects: the nearest object of the user's that they keep alive.
    var keeps: Int32?
    /// Of a cycle: who declares the references that tie its objects together.
    var tiedBy = Tie.user

    /// Who declares the references inside a cycle.
    enum Tie: Sendable {
        /// The user's code has a part in it, or may have.
        case user
        /// A library alone, although an object is of a class of the user's.
        case library
        /// A library, or closures without names, and no object is of a class of the user's.
        case libraryWithoutUser
    }
    /// What keeps it alive, from the root on, for what is still reachable.
    var heldBy: [String] = []
    /// Nothing with a count holds the cycle from outside, but a pointer without one names it.
    var isHeldByPointer = false
}
