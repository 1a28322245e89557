// Keeps as many objects as the argument says, each with references to three others chosen at random: what a search of
// the heap meets next lies somewhere else. Prints how much memory of its own the process then has.
import Foundation

final class Node {
    var first: Node?
    var second: Node?
    var third: Node?
    var payload: Int
    init(payload: Int) { self.payload = payload }
}

/// A generator of Marsaglia's: the same heap in every run.
struct XorShift {
    var state: UInt64 = 0x9e37_79b9_7f4a_7c15
    mutating func index(below bound: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state % UInt64(bound))
    }
}

/// Bytes of this process's memory that no file backs.
func residentBytes() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
    return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1_024
}

let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 5_000_000
let start = DispatchTime.now().uptimeNanoseconds
nonisolated(unsafe) var nodes = (0..<count).map { Node(payload: $0) }
var generator = XorShift()
for node in nodes {
    node.first = nodes[generator.index(below: count)]
    node.second = nodes[generator.index(below: count)]
    node.third = nodes[generator.index(below: count)]
}
for index in stride(from: count - 1, to: 0, by: -1) { nodes.swapAt(index, generator.index(below: index + 1)) }
let nanoseconds = DispatchTime.now().uptimeNanoseconds - start
print("resident \(residentBytes())")
print("seconds \(Double(nanoseconds) / 1e9) sum \(nodes[0].payload)")
exit(0)
