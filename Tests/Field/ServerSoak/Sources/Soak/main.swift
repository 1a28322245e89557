// Three servers under the same load, one with the sampled heap and two without: `Soak SERVER [minutes] [requests a second]`.
// Each minute the estimates of the one are compared with its exact counts, its memory with that of another. At the end: minutes
// in which the exact count lay inside the interval of 95 %, CPU time divided by that of a server without (and of the two
// without, which tells how much of that is chance), memory at the beginning and at the end. Ends with 1 where a server ended or
// answered wrongly.
import Client
import Foundation

let arguments = CommandLine.arguments
guard arguments.count > 1 else { fatalError("Soak SERVER [minutes] [requests a second]") }
let minutes = arguments.count > 2 ? Int(arguments[2]) ?? 60 : 60
let rate = arguments.count > 3 ? Double(arguments[3]) ?? 400 : 400
let types = ["Server.Sheet", "Server.Stroke"]

let folder = FileManager.default.temporaryDirectory.appending(path: "server-soak")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
let executable = URL(filePath: arguments[1])
let alone = try Server(executable, environment: [:], folder: folder)
let sampled = try Server(
    executable,
    environment: [
        "GAMEPROF": "allocations", "GAMEPROF_SAMPLE": "512k", "GAMEPROF_GUARD_SAMPLES": "10",
        "GAMEPROF_MAX_TRACE_SIZE": "1M",
    ], folder: folder)
let other = try Server(executable, environment: [:], folder: folder)

struct Figures {
    var exact: [String: ClosedRange<Double>] = [:]
    var metrics: [String: Double] = [:]

    init(of server: Server) throws {
        var connection = try Connection(port: server.port)
        for line in try connection.request("GET", "/figures").1.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            guard let value = Double(words.last ?? "") else { continue }
            if words.count == 3, words[0] == "exact" {
                let known = exact[words[1]] ?? value...value
                exact[words[1]] = min(known.lowerBound, value)...max(known.upperBound, value)
            } else if words.count == 2 {
                metrics[words[0]] = value
            }
        }
    }

    func interval(_ type: String) -> ClosedRange<Double> {
        let low = metrics["gameprof_live_low_bytes{type=\"\(type)\"}"] ?? 0
        return low...max(low, metrics["gameprof_live_high_bytes{type=\"\(type)\"}"] ?? 0)
    }
}

func megabytes(_ bytes: Double) -> String { String(format: "%.2f", bytes / 1_000_000) }

let end = Date().addingTimeInterval(Double(minutes) * 60)
let servers = [alone, sampled, other]
let loads = servers.map { Load(on: $0, clients: 8, rate: rate, until: end) }
for load in loads { load.begin() }
var inside: [String: Int] = [:]
var looked = 0
var extra: [Double] = []
print("minute type exact_MB estimate_MB low_MB high_MB inside  resident sampled/alone MB  CPU sampled/alone s")
for minute in 1...minutes {
    Thread.sleep(until: end.addingTimeInterval(Double(minute - minutes) * 60 - 1))
    guard servers.allSatisfy(\.isRunning), let figures = try? Figures(of: sampled) else {
        print("A server ended before minute \(minute), or did not answer.")
        for server in servers { _ = server.end() }
        exit(1)
    }
    looked += 1
    extra.append(Double(sampled.resident - alone.resident))
    for type in types {
        guard let exact = figures.exact[type] else { fatalError("the server counts no \(type)") }
        let interval = figures.interval(type)
        let isInside = interval.overlaps(exact)
        inside[type, default: 0] += isInside ? 1 : 0
        print(
            minute, type, megabytes(exact.upperBound),
            megabytes(figures.metrics["gameprof_live_bytes{type=\"\(type)\"}"] ?? 0), megabytes(interval.lowerBound),
            megabytes(interval.upperBound), isInside ? "yes" : "NO", " ", megabytes(Double(sampled.resident)),
            megabytes(Double(alone.resident)), " ", sampled.cpuSeconds, alone.cpuSeconds)
    }
    fflush(nil)
}
for load in loads { load.wait() }
let times = zip(servers, loads).map { $0.cpuSeconds / Double(max(1, $1.counts.answered)) }
for type in types { print("\(type): exact count inside the interval in \(inside[type] ?? 0) of \(looked) minutes") }
print("requests:", loads.map { "\($0.counts.answered) answered, \($0.counts.failed) wrong" }.joined(separator: "; "))
print("CPU time of a request, microseconds:", times.map { String(format: "%.1f", $0 * 1e6) }.joined(separator: ", "))
print(
    String(
        format: "sampled/alone %.3f, sampled/other %.3f, other/alone %.3f", times[1] / times[0], times[1] / times[2],
        times[2] / times[0]))
func mean(_ values: ArraySlice<Double>) -> String {
    values.isEmpty ? "not measured" : megabytes(values.reduce(0, +) / Double(values.count)) + " MB"
}
let part = max(1, extra.count / 4)
print(
    "resident beyond the other server: first quarter \(mean(extra.prefix(part))), last quarter \(mean(extra.suffix(part)))"
)
let statuses = servers.map { $0.end() }
print("status:", statuses.map { "\($0)" }.joined(separator: ", "))
// What lies outside its interval is chance in one of 20 minutes, and is printed.
let isRight = loads.allSatisfy { $0.counts.failed == 0 && $0.counts.answered > 0 }
exit(isRight ? 0 : 1)
