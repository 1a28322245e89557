// What a pair of probes costs: `Probes clock|probe PAIRS` prints the seconds of a loop of so many. The loop of `clock` reads
// the clock of probes twice and does nothing else.
import CCapture
import Glibc
import Instrumentation

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

@main
private enum Probes {
    static func main() {
        let arguments = CommandLine.arguments
        let pairs = arguments.count > 2 ? Int(arguments[2]) ?? 0 : 0
        let start = now()
        if arguments.count > 1, arguments[1] == "clock" { readTheClock(pairs) } else { probe(pairs) }
        print("seconds", now() - start)
    }
}
