import GameprofBasics

/// The releases among which those are that had no retain of their own.
///
/// What a function retains and releases itself is in order, and so is what goes with its container. What one function retains and
/// another releases may be of any of the references that are open then: with two such releases of one retain a history
/// cannot show which is one too many.
struct ExcessReleases {
    private struct Key: Hashable {
        var function: String
        var isManual: Bool
    }

    /// A release, and the retain of the same function that it gives back; nil: it has none.
    private struct Loss {
        var position: Int
        var gain: Int?
        var weight: Int
        /// Nothing shows that it is in order.
        var isOpen: Bool
    }

    private let steps: [RefCountEvent]
    private var losses: [Loss] = []
    /// By position: how many references of a retain no release of its own function gave back.
    private var left: [Int]
    /// Changes without a stack that no other explains.
    private var isIncomplete = false

    /// Positions of these releases.
    private(set) var positions: [Int] = []
    /// All of them are too many, or one call made all of them.
    private(set) var isProved = false
    /// It is known at which lines.
    private var hasLines = true

    /// - Parameter excess: how many releases were too many at least.
    /// Cost: quadratic in the number of changes that functions do not balance themselves.
    init(_ steps: [RefCountEvent], excess: Int) {
        self.steps = steps
        left = steps.map { $0.direction == .gain ? $0.weight : 0 }
        pairWithinFunctions()
        openWhatOthersMayHaveGiven()
        let all = losses
        returnNewObjects()
        leaveToDeinitializers()
        if open.reduce(0, { $0 + $1.weight }) < excess { losses = all }
        positions = Set(open.map(\.position)).sorted()
        explainUnseen()
        isProved =
            !isIncomplete && !positions.contains { steps[$0].isMerged }
            && (open.reduce(0) { $0 + $1.weight } <= excess || haveOneMaker)
        hasLines = !isProved || linesOfMakers == Set(positions.map(line)).count
    }

    /// One call made them.
    private var haveOneMaker: Bool {
        Set(positions.map { line($0) + steps[$0].functions }).count == 1
            && Set(positions.map { steps[$0].record.stack }).count == 1
    }

    private func line(_ position: Int) -> [String] { [steps[position].function, steps[position].place ?? ""] }

    /// At how many lines the functions of these releases release, their own retains too.
    private var linesOfMakers: Int {
        let makers = Set(positions.map(key))
        return Set(losses.map(\.position).filter { makers.contains(key($0)) }.map(line)).count
    }

    /// Those to be marked.
    var proved: [Int] { isProved && hasLines ? positions : [] }

    /// Where they were made, in the order of time, with the caller that tells two of one function apart.
    var sites: [Finding.Site] {
        var known: Set<[String]> = []
        return positions.filter { known.insert(steps[$0].functions + [steps[$0].place ?? ""]).inserted }.map {
            position in
            let functions = steps[position].functions
            let callers = functions.indices.dropFirst().filter {
                functions[$0] != functions[0] && !FunctionName.isDeallocatingDeinit(functions[$0])
            }
            let telling = callers.first { index in
                positions.contains {
                    steps[$0].function == functions[0] && !steps[$0].functions.starts(with: functions[...index])
                }
            }
            var site = steps[position].site(caller: telling ?? callers.dropLast().first)
            if !hasLines { site.place = nil }
            return site
        }
    }

    private var open: [Loss] { losses.filter(\.isOpen) }

    private func key(_ position: Int) -> Key {
        Key(function: steps[position].holder, isManual: steps[position].isManual)
    }

    /// A release gives back the latest retain of its function.
    private mutating func pairWithinFunctions() {
        var gains: [Key: [Int]] = [:]
        for position in steps.indices where !steps[position].isUnseen {
            let key = key(position)
            if steps[position].direction == .gain {
                gains[key, default: []].append(position)
                continue
            }
            var weight = steps[position].weight
            while weight > 0, let gain = gains[key]?.last {
                let common = min(weight, left[gain])
                losses.append(Loss(position: position, gain: gain, weight: common, isOpen: false))
                weight -= common
                left[gain] -= common
                if left[gain] == 0 { gains[key]?.removeLast() }
            }
            if weight > 0 {
                let isOpen = !steps[position].isOfContainer
                losses.append(Loss(position: position, gain: nil, weight: weight, isOpen: isOpen))
            }
        }
    }

    /// A pair of a function is none where another function may have released what this one retained before.
    private mutating func openWhatOthersMayHaveGiven() {
        var kept: [Key: Int] = [:]
        for position in steps.indices.reversed() where left[position] > 0 && steps[position].record.kind != .born {
            kept[key(position)] = position
        }
        var hasChanged = true
        while hasChanged {
            hasChanged = false
            let others = open.map(\.position)
            for index in losses.indices where !losses[index].isOpen && !steps[losses[index].position].isOfContainer {
                let position = losses[index].position
                guard let gain = losses[index].gain, mayBeOfOthers(position, gain, kept[key(position)] ?? gain, others)
                else { continue }
                losses[index].isOpen = true
                hasChanged = true
            }
        }
    }

    /// `kept`: the function's first retain without a release of its own.
    private func mayBeOfOthers(_ loss: Int, _ gain: Int, _ kept: Int, _ others: [Int]) -> Bool {
        let key = key(loss)
        let first = min(gain, kept)
        return others.contains { other in
            first < other && other < loss && self.key(other) != key && (key.isManual || !steps[other].isManual)
                && !(first == gain && isCalled(other, between: gain, and: loss))
        }
    }

    /// Whether a release was made by what the function called between a retain and a release of the same statement. What ends
    /// with the function has the line of its declaration.
    private func isCalled(_ other: Int, between gain: Int, and loss: Int) -> Bool {
        let function = key(loss).function
        guard !steps[loss].isOfMemory, let first = steps[gain].line(of: function),
            let call = steps[other].line(of: function), let last = steps[loss].line(of: function)
        else { return false }
        return first == call && last <= call
    }

    /// Who is handed a new object by the function that made it releases it.
    private mutating func returnNewObjects() {
        let others = open.map(\.position).filter { !steps[$0].isManual }
        for index in losses.indices where losses[index].isOpen && losses[index].gain == nil {
            let loss = losses[index].position
            guard !steps[loss].isManual,
                let born = steps.indices.first(where: { left[$0] > 0 && steps[$0].record.kind == .born }),
                born < loss, losses[index].weight <= left[born], steps[born].functions.contains(steps[loss].holder),
                steps[born...loss].allSatisfy({ $0.isUnseen || $0.functions.contains(steps[loss].holder) }),
                !others.contains(where: { born < $0 && $0 < loss && key($0) != key(loss) })
            else { continue }
            left[born] -= losses[index].weight
            losses[index].isOpen = false
        }
    }

    /// A deinitializer releases what the other functions of its type stored, if none of them releases anything else.
    private mutating func leaveToDeinitializers() {
        let types = Dictionary(grouping: losses.indices.filter { losses[$0].isOpen }) {
            steps[losses[$0].position].enclosingType
        }
        for case (let type?, let indices) in types {
            let stored = steps.indices.filter { left[$0] > 0 && !steps[$0].isManual && steps[$0].enclosingType == type }
            guard indices.allSatisfy({ steps[losses[$0].position].isDeinit && !steps[losses[$0].position].isManual }),
                stored.reduce(0, { $0 + left[$1] }) == indices.reduce(0, { $0 + losses[$1].weight })
            else { continue }
            for index in indices { losses[index].isOpen = false }
        }
    }

    /// Containers copy their elements out of sight, and release them with themselves.
    private mutating func explainUnseen() {
        let unseen = steps.filter(\.isUnseen)
        let gained = unseen.reduce(0) { $1.direction == .gain ? $0 + $1.weight : $0 }
        let contained = losses.reduce(0) { $1.gain == nil && !$1.isOpen ? $0 + $1.weight : $0 }
        isIncomplete = unseen.contains { $0.direction == .loss } || gained > contained
    }
}
