import Foundation

// 2,000 nodes that one memory alone names, which the argument chooses, and five lost cycles.
final class Node {
    let number: Int
    init(_ number: Int) { self.number = number }
}

final class Screen {
    var button: Button?
}

final class Button {
    var screen: Screen?
}

nonisolated(unsafe) var shown: Screen?
nonisolated(unsafe) var cleaned = 0
nonisolated(unsafe) var memory: UnsafeMutableRawPointer?

@inline(never) func lose() {
    for _ in 0..<5 {
        shown = Screen()
        shown?.button = Button()
        shown?.button?.screen = shown
    }
    shown = nil
}

@inline(never) func clean() -> Int {
    withUnsafeTemporaryAllocation(byteCount: 16384, alignment: 16) { bytes in
        for index in bytes.indices { bytes[index] = 1 }
        return bytes.reduce(0) { $0 + Int($1) }
    }
}

/// Memory of its own whose middle names the nodes, between pages that keep it from growing together with others.
func map(_ size: Int, _ flags: CInt, file: CInt = -1) -> UnsafeMutableRawPointer {
    let kind = file < 0 ? flags | MAP_ANONYMOUS : flags
    let place = mmap(nil, size + 8192, PROT_NONE, kind | MAP_NORESERVE, file, 0)! + 4096
    mprotect(place, size, PROT_READ | PROT_WRITE)
    let slots = (place + size / 2).bindMemory(to: Unmanaged<Node>.self, capacity: 2000)
    for number in 0..<2000 { slots[number] = Unmanaged.passRetained(Node(number)) }
    return place
}

func wait() {
    print("waiting \(clean())")
    fflush(stdout)
    _ = readLine()
}

@inline(never) func hold(_ place: String) {
    switch place {
    case "stack":
        let nodes = (0..<2000).map(Node.init)
        wait()
        withExtendedLifetime(nodes) {}
    case "large":
        _ = map(4 << 30, MAP_PRIVATE)
        wait()
    case "shared":
        _ = map(4 << 20, MAP_SHARED)
        wait()
    case "deleted":
        let file = "/tmp/gameprof-deleted-\(getpid())"
        let descriptor = open(file, O_RDWR | O_CREAT | O_EXCL, 0o600)
        unlink(file)
        ftruncate(descriptor, 4 << 20 + 8192)
        _ = map(4 << 20, MAP_SHARED, file: descriptor)
        wait()
    case "protected":
        mprotect(map(1 << 20, MAP_PRIVATE), 1 << 20, PROT_READ)
        wait()
    case "hidden":
        mprotect(map(4 << 20, MAP_PRIVATE), 4 << 20, PROT_NONE)
        wait()
    case "split", "guarded":
        // An array of several mappings, and its only elements right behind the border of two. What was mapped and freed before lets
        // malloc take it from its heap.
        memory = malloc(20 << 20)
        free(memory)
        var nodes = [Node?](repeating: nil, count: 1 << 20)
        for number in 0..<2000 { nodes[nodes.count / 2 + 1000 + number] = Node(number) }
        nodes.withUnsafeMutableBytes { bytes in
            let middle = UnsafeMutableRawPointer(
                bitPattern: Int(bitPattern: bytes.baseAddress! + bytes.count / 2) & ~4095)
            if place == "split" { madvise(middle, 4096, MADV_DONTFORK) } else { mprotect(middle, 4096, PROT_READ) }
        }
        wait()
        withExtendedLifetime(nodes) {}
    default: exit(2)
    }
}

@main
enum Main {
    static func main() {
        // On the stack of a thread that has ended nothing of them is left.
        let worker = Thread {
            lose()
            cleaned += clean()
        }
        worker.start()
        while !worker.isFinished { usleep(1000) }
        hold(CommandLine.arguments[1])
    }
}
