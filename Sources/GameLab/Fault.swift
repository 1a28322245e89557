/// A mistake with memory or time, committed for real.
///
/// What a fault allocates, it allocates in a function that is never inlined, so that its name stands in the stack;
/// `commit` has returned before the program ends, so that no live frame refers to what was lost.
protocol Fault: SendableMetatype {
    /// What `gamelab fault` calls it.
    static var name: String { get }

    /// What is wrong, in a line.
    static var summary: String { get }

    /// How often the button is pressed by default.
    static var defaultPresses: Int { get }

    /// The most presses that make sense.
    static var pressLimit: Int { get }

    /// Commits the fault once for each press and says what it did.
    static func commit(presses: Int)

    /// Does the same without the mistake, and says what it did.
    static func commitCured(presses: Int)
}

extension Fault {
    static var defaultPresses: Int { 1 }
    static var pressLimit: Int { 1_000_000 }
}
