import GameprofBasics
import GameprofTrace

/// The functions that had not returned when the program ended itself by `exit`, those that ended in `dispatchMain` among
/// them. The optimiser gives up a variable after its last use, and where it knows that the call does not come back, without
/// releasing what the variable held: nothing then refers to an object that the function still owns in the eyes of whoever
/// wrote it.
struct UnreturnedFunctions {
    private var names: Set<String> = []
    /// The outermost of them: `main`, where it is the main thread.
    private let outermost: String?
    /// `main` of a process that still runs, if it is top-level code that awaits.
    private let topLevel: String?
    /// Objects of one kind that variables of functions own at once: what lives more often was made by many calls.
    private static let ownedMost = 8.0

    /// `stacks`: of the thread that ended the program, and the one that the main thread left before. `tasks`: of a process that runs.
    init(_ stacks: [SymbolicatedStack], tasks: TaskList?, symbolicator: any Symbolicating) {
        topLevel = Self.topLevel(tasks?.tasks ?? [], symbolicator)
        outermost = stacks.lazy.compactMap { $0.frames.last { $0.origin == .user } }.first?.function
        names = Set(stacks.flatMap(\.frames).filter { $0.origin == .user }.map { FunctionName.unnumbered($0.function) })
    }

    /// Whether the object may be such a variable's: one of the functions made it, and one retain of it, or of its cycle,
    /// has no owner.
    func mayOwn(_ finding: HeapFinding, madeBy stack: SymbolicatedStack) -> Bool {
        guard isOwnedOnce(finding), !names.isEmpty, let maker = Signature.makers(of: stack).first else { return false }
        return names.contains(FunctionName.unnumbered(maker))
    }

    /// The function that may own the object whose maker is not known, as it was not sampled: few such objects may be variables
    /// of a function that had not returned. `count`: how many there are of its kind.
    func possibleOwner(_ finding: HeapFinding, count: Double) -> String? {
        isOwnedOnce(finding) && count <= Self.ownedMost ? outermost : nil
    }

    /// The compiler (Swift 6.3) does not release the strings that top-level code interpolates where that code awaits.
    func topLevelOwner(_ finding: HeapFinding, type: String, count: Double) -> String? {
        isOwnedOnce(finding) && type == "Swift.__StringStorage" && count <= Self.ownedMost ? topLevel : nil
    }

    private static func topLevel(_ tasks: [TaskFacts], _ symbolicator: any Symbolicating) -> String? {
        let stacks = Set(tasks.lazy.filter { $0.parent == nil && !$0.neverResumes }.map(\.resume))
        guard !stacks.isEmpty else { return nil }
        symbolicator.prepare(stacks: [], addresses: Set(stacks.joined()))
        let outermost = stacks.lazy.compactMap { stack in
            AwaitStack.of(stack, symbolicator).frames.last { $0.origin == .user }?.function
        }
        return outermost.first { $0 == "main" }
    }

    private func isOwnedOnce(_ finding: HeapFinding) -> Bool {
        switch finding.kind {
        case .leak, .retainCycle: finding.excessRetains == 1
        case .rawLeak: true
        case .overRetain, .reachableCycle: false
        }
    }
}
