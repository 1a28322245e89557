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
    /// Their frames.
    private var frames: [SymbolicatedFrame] = []
    /// Written by hand (`Unmanaged`), not by the compiler, which balances its own.
    var isManual: Bool
    /// A container of the standard library, or a closure's context, releases what it holds.
    var isOfContainer = false
    /// Memory is deinitialised, or its value replaced by another object that the function has just retained or made.
    var isOfMemory = false
    /// The count changed out of sight: there is no stack.
    var isUnseen = false

    var function: String { functions.first ?? "" }
    /// The function to which the reference belongs: what an initializer makes and a getter returns is their caller's.
    var holder: String {
        guard direction == .gain else { return function }
        let isBorn = record.kind == .born
        return functions.first { !FunctionName.isGetter($0) && !(isBorn && FunctionName.isInitializer($0)) } ?? function
    }
    var place: String? { frames.first?.place }
    /// Several functions have this code.
    var isMerged: Bool { frames.first?.isMerged ?? false }
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
        frames = users
        let isByHand = direction == .loss ? FunctionName.isManualRelease : FunctionName.isManualRetain
        isManual = stack.frames.prefix(8).contains { isByHand($0.function) }
        isOfContainer =
            direction == .loss
            && stack.frames.prefix { $0.origin != .user }.contains { FunctionName.isOfContainer($0.function) }
        isOfMemory = stack.frames.prefix { $0.origin != .user }.contains { FunctionName.isDestroy($0.function) }
    }

    /// Whether the reference belongs to the caller of the function that took it.
    var isHandedOut: Bool { direction == .gain && holder != function }

    /// The line at which a function stood that is on the stack.
    func line(of function: String) -> Int? {
        functions.firstIndex(of: function).flatMap { frames.indices.contains($0) ? frames[$0].line : nil }
    }

    /// Where it was made. `caller`: position of a function that called it.
    func site(caller: Int?) -> Finding.Site {
        var site = site(frames.indices.first)
        site.caller = caller.flatMap { self.site($0) }.map { [$0.function, $0.place.map { "at \($0)" }] }
            .map { $0.compactMap(\.self).joined(separator: " ") }
        return site
    }

    private func site(_ position: Int?) -> Finding.Site {
        let frame = position.flatMap { frames.indices.contains($0) ? frames[$0] : nil }
        let others = frame?.isMerged == true ? " or a function of the same code" : ""
        return Finding.Site(function: frame.map { FunctionName.display($0.function) + others }, place: frame?.place)
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
    ///
    /// - Parameter before: what a change's thread did before it to a count.
    static func steps(
        of life: [CountChangeRecord], before: (CountChangeRecord) -> CountChangeRecord? = { _ in nil },
        stack: (StackID) -> SymbolicatedStack
    ) -> [RefCountEvent] {
        var steps: [RefCountEvent] = []
        var last: CountChangeRecord?
        var gap = 0
        for record in life {
            guard var step = RefCountEvent(record, stack: stack(record.stack)) else { continue }
            if step.direction == .loss, let other = before(record), other.object != record.object,
                let gain = RefCountEvent(other, stack: stack(other.stack)), gain.direction == .gain
            {
                step.isOfMemory = step.isOfMemory || gain.holder == step.function
            }
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
