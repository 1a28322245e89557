// Queues with labels and tasks with names that compute for known times. With `changing`: seven tenths in queues labelled
// game.red, the rest in game.blu, each of them new, and at the address of the one before.
import Dispatch
import Foundation

@inline(never)
func burn(_ milliseconds: Double) {
    var value: UInt64 = 1
    var spent = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent)
    let end = Double(spent.tv_sec) * 1000 + Double(spent.tv_nsec) / 1e6 + milliseconds
    while Double(spent.tv_sec) * 1000 + Double(spent.tv_nsec) / 1e6 < end {
        for _ in 0..<50_000 { value = value &* 3 &+ 1 }
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent)
    }
    if value == 0 { print("never") }
}

func playChanging() {
    for round in 0..<1000 {
        let unit = 0.12 + Double(round * 79 % 200) / 900  // a constant period might be that of the samples
        DispatchQueue(label: "game.red").sync { burn(7 * unit) }
        DispatchQueue(label: "game.blu").sync { burn(3 * unit) }
    }
}

@main
struct Works {
    static func main() async {
        if CommandLine.arguments.contains("changing") {
            return playChanging()
        }
        let board = DispatchQueue(label: "game.board")
        let scores = DispatchQueue(label: "game.scores", attributes: .concurrent)
        let group = DispatchGroup()
        for _ in 0..<4 { board.async(group: group) { burn(100) } }
        scores.async(group: group) { burn(200) }
        let solver = Task(name: "solver") {
            burn(200)
            await Task.yield()
            burn(200)
        }
        let nameless = Task { burn(200) }
        group.wait()
        // On the caller's thread, here the main one.
        board.sync { burn(100) }
        await solver.value
        await nameless.value
        print("done")
    }
}
