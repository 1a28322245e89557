// What a pair of probes costs: `Probes clock|probe PAIRS [least]` prints the seconds of a loop of so many. The loop of
// `clock` reads the clock of probes twice and does nothing else. `least`: the least of many short loops instead, times
// their number: the probes alone, without what becomes of the memory that they fill.
import CRecorderInterface
import GameInstrumentation
import Glibc

nonisolated(unsafe) private var sink: UInt64 = 0

private func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

@inline(never)
private func readTheClock(_ pairs: Int) {
    var sum: UInt64 = 0
    for _ in 0..<pairs {
        let start = gp_probe_ticks()
        sum &+= gp_probe_ticks() &- start
    }
    sink = sum
}

@inline(never)
private func probe(_ pairs: Int) {
    for _ in 0..<pairs { Probe.interval("pair") {} }
}

private func seconds(_ body: () -> Void) -> Double {
    let start = now()
    body()
    return now() - start
}

@main
private enum Probes {
    private static let shortLoop = 1000

    static func main() {
        let arguments = CommandLine.arguments
        let pairs = arguments.count > 2 ? Int(arguments[2]) ?? 0 : 0
        let loop = arguments.count > 1 && arguments[1] == "clock" ? readTheClock : probe
        if arguments.count > 3, arguments[3] == "least" {
            let least = (0..<pairs / shortLoop).map { _ in seconds { loop(shortLoop) } }.min() ?? 0
            print("seconds", least * Double(pairs / shortLoop))
        } else {
            print("seconds", seconds { loop(pairs) })
        }
    }
}
