/// Which retain a release gives back. The compiler balances what it writes, so that each gain has a loss in the same
/// function, in a function to which the object was handed, or in the deinit of what stored it; what the program writes by
/// hand must be balanced by hand.
struct OwnershipPairing {
    private let steps: [RefCountEvent]
    /// How many references of each step have no partner.
    private var left: [Int]
    /// Whether a partner of the step stands in another function.
    private var isFar: [Bool]
    /// By loss: the gains that it gives back.
    private var partners: [Int: Set<Int>] = [:]

    /// Cost: linear in the steps but for one search of each loss in the stacks of the gains that are left.
    init(_ steps: [RefCountEvent]) {
        self.steps = steps
        left = steps.map(\.weight)
        isFar = [Bool](repeating: false, count: steps.count)
        pairWithinFunctions()
        pair { $0.isManual && $1.isManual }
        // Handed out by a function: to one that called it.
        pair(earliest: true) { gain, loss in Self.areWritten(gain, loss) && gain.functions.contains(loss.function) }
        pair { gain, loss in
            Self.areWritten(gain, loss) && gain.enclosingType != nil && gain.enclosingType == loss.enclosingType
        }
        // Handed over, by a function that knows both: only initialisers and setters take their arguments' ownership.
        pair { gain, loss in
            Self.areWritten(gain, loss) && loss.isConsuming && gain.functions.contains(where: loss.functions.contains)
        }
        // Taken out of an unmanaged reference.
        pair(earliest: true) { gain, loss in gain.isManual && !loss.isManual && !loss.isUnseen }
        pair { gain, loss in !gain.isManual && loss.isDeinit && !loss.isManual }
        pair { gain, loss in !gain.isManual && !loss.isManual && (gain.isUnseen || loss.isUnseen) }
    }

    /// Gains that were never given back; those made by hand alone when there are any.
    var gains: [Int] {
        let unpaired = steps.indices.filter { left[$0] > 0 && steps[$0].direction == .gain && !steps[$0].isUnseen }
        let manual = unpaired.filter { steps[$0].isManual }
        return manual.isEmpty ? unpaired : manual
    }

    /// Gains that may be the one without a release as well as `gain`: a function that was inlined leaves its retain to its
    /// caller, whose release fits both; and a release by a caller fits each reference that initialisers and getters handed to
    /// it. Of what was retained by hand there are none.
    func rivals(of gain: Int) -> Set<Int> {
        var found: Set<Int> = []
        var open = [gain]
        // Whatever a rival's release gives back may be the one in its turn.
        while let next = open.popLast(), found.count < Self.mostRivals {
            for rival in directRivals(of: next).sorted() where rival != gain && found.insert(rival).inserted {
                open.append(rival)
            }
        }
        return found
    }

    /// More name nobody.
    private static let mostRivals = 64

    private func directRivals(of gain: Int) -> Set<Int> {
        let step = steps[gain]
        guard !step.isManual else { return [] }
        let makers = step.record.kind == .born ? step.functions : Array(step.functions.prefix(1))
        return partners.reduce(into: []) { rivals, pair in
            let loss = steps[pair.key]
            guard pair.key > gain else { return }
            rivals.formUnion(
                pair.value.filter { other in
                    guard !steps[other].isManual else { return false }
                    return steps[other].function == loss.function
                        ? makers.contains(loss.function)
                        : [step, steps[other]].allSatisfy { $0.isHandedOut && $0.functions.contains(loss.function) }
                })
        }
    }

    /// Whether it and all its partners stand in one function: nothing that a reader must see.
    func isLocal(_ position: Int) -> Bool {
        left[position] == 0 && !isFar[position] && steps[position].function != ""
    }

    /// As many references of a gain as a loss gives back.
    private mutating func pair(_ gain: Int, with loss: Int) {
        let common = min(left[gain], left[loss])
        left[gain] -= common
        left[loss] -= common
        partners[loss, default: []].insert(gain)
        if steps[gain].function != steps[loss].function {
            isFar[gain] = true
            isFar[loss] = true
        }
    }

    /// A loss gives back the latest gains of its function.
    private mutating func pairWithinFunctions() {
        var open: [String: [Int]] = [:]
        for position in steps.indices where !steps[position].functions.isEmpty {
            let step = steps[position]
            let key = step.isManual ? "by hand " + step.function : step.function
            if step.direction == .gain {
                open[key, default: []].append(position)
                continue
            }
            while left[position] > 0, let gain = open[key]?.last {
                pair(gain, with: position)
                if left[gain] == 0 { open[key]?.removeLast() }
            }
        }
    }

    /// By the compiler, with stacks that were seen.
    private static func areWritten(_ gain: RefCountEvent, _ loss: RefCountEvent) -> Bool {
        !gain.isManual && !loss.isManual && !gain.functions.isEmpty && !loss.functions.isEmpty
    }

    /// Pairs what is left, each loss with the latest gains before it that fit, or the earliest.
    private mutating func pair(earliest: Bool = false, where fits: (RefCountEvent, RefCountEvent) -> Bool) {
        var open: [Int] = []
        for position in steps.indices where left[position] > 0 {
            if steps[position].direction == .gain {
                open.append(position)
                continue
            }
            while left[position] > 0,
                let index = earliest
                    ? open.firstIndex(where: { fits(steps[$0], steps[position]) })
                    : open.lastIndex(where: { fits(steps[$0], steps[position]) })
            {
                pair(open[index], with: position)
                if left[open[index]] == 0 { open.remove(at: index) }
            }
        }
    }
}
