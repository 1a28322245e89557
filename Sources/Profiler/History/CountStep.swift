/// A change of a reference count, with what pairing it needs to know of its stack.
struct CountStep: Sendable {
    enum Direction: Sendable { case gain, loss }

    var record: CountChangeRecord
    var direction: Direction
    /// The user's functions, innermost first, without what the optimiser adds.
    var functions: [String]
    /// Written by hand (`Unmanaged`), not by the compiler, which balances its own.
    var isManual: Bool
    /// The count changed out of sight: there is no stack.
    var isUnseen = false

    var function: String { functions.first ?? "" }
    var isDeinit: Bool { function.hasSuffix("deinit") }
    var isConsuming: Bool { function.contains("init(") || function.contains("setter") || function.contains("modify") }
    var enclosingType: String? { FunctionName.enclosingType(function) }

    init?(_ record: CountChangeRecord, stack: SymbolicatedStack) {
        self.record = record
        switch record.kind {
        case .born, .retain: direction = .gain
        case .release: direction = .loss
        case .died: return nil
        }
        let users = stack.frames.filter { $0.origin == .user && !$0.function.contains("outlined") }
        functions = users.map { FunctionName.unnumbered($0.function) }
        let byHand =
            direction == .loss ? ["Unmanaged.release"] : ["Unmanaged.retain", "Unmanaged.passRetained"]
        isManual = stack.frames.prefix(8).contains { frame in byHand.contains { frame.function.contains($0) } }
    }

    private init(unseen direction: Direction, near record: CountChangeRecord, strong: UInt32) {
        self.record = record
        self.record.strong = strong
        self.record.stack = .none
        self.direction = direction
        functions = []
        isManual = false
        isUnseen = true
    }

    /// The steps of a life, with those that the counts show and nobody saw.
    ///
    /// Two threads that change a count at once may both have read the same number: a difference is believed only when it
    /// is still there at a change by the thread that made the one before.
    static func steps(of life: [CountChangeRecord], stack: (StackID) -> SymbolicatedStack) -> [CountStep] {
        var steps: [CountStep] = []
        var last: CountChangeRecord?
        var gap = 0
        for record in life {
            guard let step = CountStep(record, stack: stack(record.stack)) else { continue }
            if let last, record.kind != .born {
                let before = Int(record.strong) + (step.direction == .gain ? -1 : 1)
                gap += before - Int(last.strong)
                if last.thread == record.thread, gap != 0 {
                    let direction: Direction = gap > 0 ? .gain : .loss
                    for number in 1...min(abs(gap), 16) {
                        let strong = max(0, Int(last.strong) + (gap > 0 ? number : -number))
                        steps.append(CountStep(unseen: direction, near: record, strong: UInt32(clamping: strong)))
                    }
                    gap = 0
                }
            }
            steps.append(step)
            last = record
        }
        return steps
    }
}
