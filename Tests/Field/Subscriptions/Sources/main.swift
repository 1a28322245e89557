// Subscriptions that end with their owner, and with the argument `leaking` some whose closure keeps the owner.
import OpenCombine

final class Score {
    @Published var points = 0
    let bonus = PassthroughSubject<Int, Never>()
    private(set) var total = 0
    private var subscriptions: Set<AnyCancellable> = []

    func watchWeakly() {
        bonus.scan(0, +).sink { [weak self] in self?.total = $0 }.store(in: &subscriptions)
        $points.filter { $0 > 0 }.removeDuplicates().map { $0 * 2 }
            .sink { [weak self] in self?.total += $0 }.store(in: &subscriptions)
    }

    func watchStrongly() {
        bonus.sink { self.total += $0 }.store(in: &subscriptions)
    }
}

func play(leaking: Bool) -> Int {
    let score = Score()
    if leaking { score.watchStrongly() } else { score.watchWeakly() }
    for value in 1...10 {
        score.bonus.send(value)
        score.points = value
    }
    return score.total
}

let isLeaking = CommandLine.arguments.dropFirst().first == "leaking"
var sum = 0
for _ in 0..<50 { sum += play(leaking: false) }
if isLeaking { for _ in 0..<7 { sum += play(leaking: true) } }
print("total \(sum)")
