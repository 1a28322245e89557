// Builds a linked structure of five million objects and keeps it until the end; prints how long the building took.
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

let start = DispatchTime.now().uptimeNanoseconds
for list in 0..<5_000 {
    var head: Node?
    for index in 0..<1_000 { head = Node(next: head, payload: list &* index) }
    lists.append(head)
}
let nanoseconds = DispatchTime.now().uptimeNanoseconds - start
print("seconds \(Double(nanoseconds) / 1e9) sum \(lists.reduce(0) { $0 &+ ($1?.payload ?? 0) })")
exit(0)
