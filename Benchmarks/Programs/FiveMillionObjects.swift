// Builds linked lists of a thousand objects each, 5,000 of them or as many as the argument says, and keeps them until
// the end; prints how long the building took and how much memory of its own the process then has.
import Foundation

final class Node {
    var next: Node?
    var payload: Int
    init(next: Node?, payload: Int) {
        self.next = next
        self.payload = payload
    }
}

nonisolated(unsafe) var lists: [Node?] = []

/// Bytes of this process's memory that no file backs.
func residentBytes() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
    return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1_024
}

let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 5_000
let start = DispatchTime.now().uptimeNanoseconds
for list in 0..<count {
    var head: Node?
    for index in 0..<1_000 { head = Node(next: head, payload: list &* index) }
    lists.append(head)
}
let nanoseconds = DispatchTime.now().uptimeNanoseconds - start
print("resident \(residentBytes())")
print("seconds \(Double(nanoseconds) / 1e9) sum \(lists.reduce(0) { $0 &+ ($1?.payload ?? 0) })")
exit(0)
