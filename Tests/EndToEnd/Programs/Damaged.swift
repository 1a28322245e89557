// Loses cycles, then damages the heap so that malloc itself ends the program, or misuses a continuation.
import Foundation

/// Where the optimiser sees no pair of calls to leave out.
nonisolated(unsafe) var malloc: (Int) -> UnsafeMutableRawPointer? = { Foundation.malloc($0) }
nonisolated(unsafe) var free: (UnsafeMutableRawPointer?) -> Void = { Foundation.free($0) }

@inline(never)
func damage(_ way: String) {
    var blocks: [UnsafeMutableRawPointer?] = []
    switch way {
    case "top":  // malloc(): corrupted top size
        let last = malloc(100_000)
        memset(last! + 100_008, 0xff, 8)
        for _ in 0..<100_000 { blocks.append(malloc(70_000)) }
    case "unsorted":  // links of a free chunk
        for _ in 0..<64 {
            blocks.append(malloc(3_000))
            blocks.append(malloc(40))
        }
        for number in stride(from: 0, to: 64, by: 2) { free(blocks[number]) }
        let links = blocks[8]!.assumingMemoryBound(to: UInt.self)
        (links[0], links[1]) = (0x10, 0x18)
        for number in 1..<10_000 { blocks.append(malloc(number * 16 + 2_000)) }
    case "cache":  // a link of the thread's cache: SIGSEGV inside malloc
        let (one, other) = (malloc(48)!, malloc(48)!)
        free(one)
        free(other)
        other.assumingMemoryBound(to: UInt.self).pointee = 0x4141_4141_4140 ^ (UInt(bitPattern: other) >> 12)
        for _ in 0..<10 { malloc(48)!.assumingMemoryBound(to: UInt.self).pointee = 1 }
    case "double":
        let block = malloc(48)
        free(block)
        free(block)
    case "invalid": free(malloc(48)! + 16)
    default: break
    }
}

@inline(never)
func misuse(_ way: String) async {
    switch way {
    case "twice":
        await withCheckedContinuation { continuation in
            continuation.resume()
            continuation.resume()
        }
    case "leaked", "leaked, then a fault":
        let task = Task { await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in } }
        try? await Task.sleep(nanoseconds: 50_000_000)
        task.cancel()
        if way != "leaked" { UnsafeMutablePointer<Int>(bitPattern: 16)!.pointee = 1 }
    default: break
    }
}

@main struct Program {
    static func main() async {
        setvbuf(stdout, nil, _IONBF, 0)
        for number in 0..<5 { loseCards(number) }
        print("begins")
        damage(CommandLine.arguments[1])
        await misuse(CommandLine.arguments[1])
        print("ends")
    }
}
