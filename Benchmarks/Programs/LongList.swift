// Builds one linked list whose nodes have an object each, as many objects in all as the argument says (5 million), and
// keeps it until the end; prints how long the building took.
import Foundation

final class Payload {
    var number: Int
    init(_ number: Int) { self.number = number }
}

final class Node {
    var next: Node?
    var payload: Payload
    init(next: Node?, payload: Payload) {
        self.next = next
        self.payload = payload
    }
}

nonisolated(unsafe) var list: Node?

let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 5_000_000
let start = DispatchTime.now().uptimeNanoseconds
for index in 0..<count / 2 { list = Node(next: list, payload: Payload(index)) }
print("seconds \(Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9)")
// The list is not released, which would take a stack as deep as the list is long.
exit(0)
