import GameprofBasics
import GameprofTrace

/// A change of a reference count, or several equal ones in a row, with what pairing it needs to know of its stack.
struct RefCountEvent: Sendable {
    enum Direction: Sendable { case gain, loss }

    var record: CountChangeRecord
    var direction: Direction
    /// How many references it is about.
    var weight: Int
    /// The user's functions, innermost first, without what the optimiser adds.
    var functions: [String]
    /// Written by hand (`Unmanaged`), not by the compiler, which balances its own.
    var isManual: Bool
    /// The count changed out of sight: there is no stack.
    var isUnseen = false

    var function: String { functions.first ?? "" }
    var isDeinit: Bool { FunctionName.isDeinitializer(function) }
    var isConsuming: Bool { FunctionName.isConsuming(function) }
    var enclosingType: String? { FunctionName.enclosingType(function) }

    init?(_ record: CountChangeRecord, stack: SymbolicatedStack) {
        self.record = record
        weight = Int(record.times)
        switch record.kind {
        case .born, .retain: direction = .gain
        case .release: direction = .loss
        case .died: return nil
        }
        let users = stack.frames.filter { $0.origin == .user && !FunctionName.isOutlined($0.function) }
        functions = users.map { FunctionName.unnumbered($0.function) }
        let isByHand = direction == .loss ? FunctionName.isManualRelease : FunctionName.isManualRetain
        isManual = stack.frames.prefix(8).contains { isByHand($0.function) }
    }

    /// What the count shows behind `last` and nobody saw: `gap` references more or fewer.
    private init(unseen gap: Int, after last: CountChangeRecord, near record: CountChangeRecord) {
        self.record = record
        self.record.strong = UInt32(clamping: Int(last.strong) + gap)
        self.record.stack = .none
        direction = gap > 0 ? .gain : .loss
        weight = abs(gap)
        functions = []
        isManual = false
        isUnseen = true
    }

    /// The steps of a life, with those that the counts show and nobody saw.
    ///
    /// Two threads that change a count at once may both have read the same number: a difference is believed only when it
    /// is still there at a change by the thread that made the one before.
    static func steps(of life: [CountChangeRecord], stack: (StackID) -> SymbolicatedStack) -> [RefCountEvent] {
        var steps: [RefCountEvent] = []
        var last: CountChangeRecord?
        var gap = 0
        for record in life {
            guard let step = RefCountEvent(record, stack: stack(record.stack)) else { continue }
            if let last, record.kind != .born {
                let before = Int(record.strong) + (step.direction == .gain ? -step.weight : step.weight)
                gap += before - Int(last.strong)
                if last.thread == record.thread, gap != 0 {
                    steps.append(RefCountEvent(unseen: gap, after: last, near: record))
                    gap = 0
                }
            }
            steps.append(step)
            last = record
        }
        return steps
    }
}
