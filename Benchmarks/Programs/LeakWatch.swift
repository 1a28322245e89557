// What a LeakWatch costs beside so many objects: `LeakWatch begin|report|again OBJECTS` prints the seconds of its beginning, of its
// first report or of the second.
import Foundation
import GameProfiler

final class Node {
    var next: Node?
    init(next: Node?) { self.next = next }
}

func seconds(_ body: () throws -> Void) rethrows -> Double {
    let start = DispatchTime.now().uptimeNanoseconds
    try body()
    return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
}

@inline(never) func lose() {
    let (one, other) = (Node(next: nil), Node(next: nil))
    (one.next, other.next) = (other, one)
}

nonisolated(unsafe) var list: Node?
for _ in 0..<(Int(CommandLine.arguments[2]) ?? 0) { list = Node(next: list) }
var watch: LeakWatch?
var took = try seconds { watch = try LeakWatch() }
if CommandLine.arguments[1] != "begin" {
    for _ in 0...(CommandLine.arguments[1] == "again" ? 1 : 0) {
        lose()
        took = try seconds { _ = try watch?.report() }
    }
}
print("seconds \(took)")
// The list is not released, which would take a stack as deep as the list is long.
exit(0)
