// Two servers under the same load: one is looked at without pause by gameprof's commands, one is left alone.
// `Looks SERVER GAMEPROF [rounds] [requests a second]`. A round is three looks at the tasks and three short recordings by a
// dormant recorder, one sample of the CPU time, one look at the heap, and one command that is killed at a random moment. Every
// answer is compared with what the server counts. Ends with 1 where an answer or a request was wrong.
import Client
import Foundation

let arguments = CommandLine.arguments
guard arguments.count > 2 else {
    print("usage: Looks SERVER GAMEPROF [rounds] [requests a second]")
    exit(2)
}
let rounds = arguments.count > 3 ? Int(arguments[3]) ?? 100 : 100
let rate = arguments.count > 4 ? Double(arguments[4]) ?? 200 : 200

let folder = FileManager.default.temporaryDirectory.appending(path: "server-looks")
try? FileManager.default.removeItem(at: folder)
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
let alone = try Server(URL(filePath: arguments[1]), environment: ["GAMEPROF": "dormant"], folder: folder)
let server = try Server(URL(filePath: arguments[1]), environment: ["GAMEPROF": "dormant"], folder: folder)
let looks = Looks(at: server, tool: URL(filePath: arguments[2]), folder: folder)

let (waiting, lost) = (40, 7)
for one in [alone, server] {
    var connection = try Connection(port: one.port)
    for _ in 0..<waiting { _ = try connection.request("POST", "/waits") }
    for _ in 0..<lost { _ = try connection.request("POST", "/losses") }
    _ = try connection.request("POST", "/spins")
}
let loads = [alone, server].map { Load(on: $0, clients: 8, rate: rate, until: .distantFuture) }
for load in loads { load.begin() }
// Until there is something to look at.
while loads.contains(where: { $0.counts.answered < 400 && $0.counts.failed == 0 }) { usleep(10_000) }

let start = Date()
let before = (descriptors: server.descriptors, threads: server.threads.count)
var resident: [Int] = []
var random = Random(state: 1)
for round in 1...rounds {
    for _ in 0..<3 {
        looks.tasks(waiting: waiting, lost: lost)
        looks.attach()
    }
    looks.time(naming: "spin")
    looks.heap()
    looks.kill(after: random.fraction() * 0.6, kind: Int(random.next() % 4))
    resident.append(server.resident - alone.resident)
    if round % 10 == 0 { print("round \(round), \(Int(-start.timeIntervalSinceNow)) s:", looks.line) }
    fflush(nil)
}
for load in loads { load.end() }

print("\(rounds) rounds in \(Int(-start.timeIntervalSinceNow)) s")
print(looks.line)
print("requests:", loads.map { "\($0.counts.answered) answered, \($0.counts.failed) wrong" }.joined(separator: "; "))
for (name, share) in [("median", 0.5), ("p99", 0.99), ("p99.9", 0.999)] {
    print(
        name,
        String(
            format: "%.2f ms alone, %.2f ms looked at", loads[0].latency(share) * 1_000, loads[1].latency(share) * 1_000
        )
    )
}
let part = max(1, resident.count / 4)
func mean(_ values: ArraySlice<Int>) -> Double { Double(values.reduce(0, +)) / Double(values.count) / 1_000_000 }
print(
    String(
        format: "resident beyond the other server: first quarter %.1f MB, last quarter %.1f MB",
        mean(resident.prefix(part)),
        mean(resident.suffix(part))))
print(
    "descriptors \(before.descriptors) before, \(server.descriptors) after; threads \(before.threads) before,"
        + " \(server.threads.count) after")
let statuses = [alone, server].map { $0.end() }
print("status:", statuses.map { "\($0)" }.joined(separator: ", "))
let isRight = looks.complaints.isEmpty && loads.allSatisfy { $0.counts.failed == 0 && $0.counts.answered > 0 }
exit(isRight ? 0 : 1)
