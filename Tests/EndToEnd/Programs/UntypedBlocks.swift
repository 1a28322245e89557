import Foundation

// Blocks of C memory that nothing names, and a generic object in a static property.
final class Crate<Content> {
    let content: Content
    init(_ content: Content) { self.content = content }
}

@main
enum Main {
    nonisolated(unsafe) static var shared = Crate(1)
    nonisolated(unsafe) static var last: UnsafeMutableRawPointer?

    @inline(never) static func lose(_ count: Int) {
        for _ in 0..<count { last = malloc(1500) }
        last = nil
    }

    static func main() {
        lose(640)
        print("waiting \(shared.content)")
        fflush(stdout)
        print(readLine() ?? "nothing")
    }
}
