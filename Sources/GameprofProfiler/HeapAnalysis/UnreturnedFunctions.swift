import GameprofBasics
import GameprofSymbolication

/// The functions that had not returned when the program ended itself by `exit`, those that ended in `dispatchMain` among
/// them. The optimiser gives up a variable after its last use, and where it knows that the call does not come back, without
/// releasing what the variable held: nothing then refers to an object that the function still owns in the eyes of whoever
/// wrote it.
struct UnreturnedFunctions {
    private var names: Set<String> = []

    /// `stacks`: of the thread that ended the program, and the one that the main thread left before.
    init(_ stacks: [SymbolicatedStack]) {
        names = Set(stacks.flatMap(\.frames).filter { $0.origin == .user }.map { FunctionName.unnumbered($0.function) })
    }

    /// Whether the object may be such a variable's: one of the functions made it, and one retain of it, or of its cycle,
    /// has no owner.
    func mayOwn(_ finding: HeapFinding, madeBy stack: SymbolicatedStack) -> Bool {
        let isOwnedOnce =
            switch finding.kind {
            case .leak, .retainCycle: finding.excessRetains == 1
            case .rawLeak: true
            case .overRetain, .reachableCycle: false
            }
        guard isOwnedOnce, !names.isEmpty, let maker = Signature.makers(of: stack).first else { return false }
        return names.contains(FunctionName.unnumbered(maker))
    }
}
