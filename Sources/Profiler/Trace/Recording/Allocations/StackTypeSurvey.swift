/// Which type the blocks of a stack mostly have, learnt from their frees: an allocation record does not say it. 8 bytes
/// for each frame.
struct StackTypeSurvey {
    let highestID: UInt32
    /// The type ahead in the vote of each stack.
    private var leaders: [UInt32] = []
    private var leads: [UInt32] = []
    private(set) var highestType: UInt32 = 0

    init(highestID: UInt32) { self.highestID = highestID }

    /// Votes for `type` at `stack` (majority vote by Boyer and Moore).
    mutating func note(stack: UInt32, type: UInt32) {
        guard stack <= highestID, type <= highestID else { return }
        highestType = max(highestType, type)
        let index = Int(stack)
        if index >= leaders.count {
            let missing = max(index + 1, leaders.count * 2) - leaders.count
            leaders.append(contentsOf: repeatElement(0, count: missing))
            leads.append(contentsOf: repeatElement(0, count: missing))
        }
        if leads[index] == 0 {
            leaders[index] = type
            leads[index] = 1
        } else if leaders[index] == type {
            if leads[index] < .max { leads[index] += 1 }
        } else {
            leads[index] -= 1
        }
    }

    /// The type that most blocks of the stack had, 0 when none is known.
    func type(of stack: UInt32) -> UInt32 { Int(stack) < leaders.count ? leaders[Int(stack)] : 0 }
}
