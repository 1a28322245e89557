/// Which retain a release gives back. The compiler balances what it writes, so that each gain has a loss in the same
/// function, in a function to which the object was handed, or in the deinit of what stored it; what the program writes by
/// hand must be balanced by hand.
struct OwnershipPairing {
    /// The partner's position of each step; nil: it has none.
    private(set) var partners: [Int?]
    private let steps: [CountStep]

    /// Cost: linear in the steps but for one search of each loss in the stacks of the gains that are left.
    init(_ steps: [CountStep]) {
        self.steps = steps
        partners = [Int?](repeating: nil, count: steps.count)
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

    /// Losses without a gain of their own; those made by hand alone when there are any.
    var losses: [Int] { unpaired(.loss) }

    /// Gains that were never given back; those made by hand alone when there are any.
    var gains: [Int] { unpaired(.gain) }

    /// Whether both stand in one function: nothing that a reader must see.
    func isLocal(_ position: Int) -> Bool {
        partners[position].map { steps[$0].function == steps[position].function && steps[$0].function != "" } ?? false
    }

    private func unpaired(_ direction: CountStep.Direction) -> [Int] {
        let left = steps.indices.filter {
            partners[$0] == nil && steps[$0].direction == direction && !steps[$0].isUnseen
        }
        let manual = left.filter { steps[$0].isManual }
        return manual.isEmpty ? left : manual
    }

    /// A loss gives back the latest gain of its function.
    private mutating func pairWithinFunctions() {
        var open: [String: [Int]] = [:]
        for position in steps.indices where !steps[position].functions.isEmpty {
            let step = steps[position]
            let key = step.isManual ? "by hand " + step.function : step.function
            if step.direction == .gain {
                open[key, default: []].append(position)
            } else if let gain = open[key]?.popLast() {
                partners[gain] = position
                partners[position] = gain
            }
        }
    }

    /// By the compiler, with stacks that were seen.
    private static func areWritten(_ gain: CountStep, _ loss: CountStep) -> Bool {
        !gain.isManual && !loss.isManual && !gain.functions.isEmpty && !loss.functions.isEmpty
    }

    /// Pairs what is left, each loss with the latest gain before it that fits, or the earliest.
    private mutating func pair(earliest: Bool = false, where fits: (CountStep, CountStep) -> Bool) {
        var open: [Int] = []
        for position in steps.indices where partners[position] == nil {
            if steps[position].direction == .gain {
                open.append(position)
            } else if let index = earliest
                ? open.firstIndex(where: { fits(steps[$0], steps[position]) })
                : open.lastIndex(where: { fits(steps[$0], steps[position]) })
            {
                let gain = open.remove(at: index)
                partners[gain] = position
                partners[position] = gain
            }
        }
    }
}
