// The reader of memory images: the heap of real objects, of which the input changes words and metadata; or a whole core file.
// Sources: Sources/Profiler/Heap
// Modules: Trace
import Foundation
import GameprofTrace

private final class Leaf {
    var number = 7
    var text = "a text that is longer than fifteen bytes"
}

private enum Choice {
    case none
    case one(Leaf)
    case two(Leaf, Int)
}

private class Tree {
    var left: Tree?
    weak var up: Tree?
    var leaves = [Leaf(), Leaf()]
    var table = ["one": Leaf(), "two": Leaf()]
    var set: Set<Int> = [1, 2]
    var any: Any = (Leaf(), 3)
    var action: (() -> Void)?
    var choice = Choice.two(Leaf(), 1)
}

private final class Branch<Element>: Tree {
    var element: Element
    var error: any Error = NSError(domain: "fuzz", code: 1)
    init(_ element: Element) { self.element = element }
}

/// Whether a block of the harness begins there, and its bytes.
@_silgen_name("__sanitizer_get_ownership") private func isBlock(_ address: UInt) -> CInt
@_silgen_name("__sanitizer_get_allocated_size") private func blockSize(_ address: UInt) -> UInt

private let addressBits: UInt64 = 0x0000_7fff_ffff_fff8

/// Memory that an image has at another address.
private final class Memory {
    let start: UInt64
    let bytes: UnsafeMutableRawBufferPointer

    init(_ start: UInt64, _ contents: [UInt8]) {
        self.start = start
        bytes = .allocate(byteCount: contents.count, alignment: 16)
        bytes.copyBytes(from: contents)
    }

    deinit { bytes.deallocate() }

    var mapping: MemoryImage.Mapping {
        MemoryImage.Mapping(start: start, end: start + UInt64(bytes.count), isWritable: true)
    }
}

/// What all runs begin with.
private struct World {
    static let heapStart: UInt64 = 0x5000_0000_0000
    static let stateStart: UInt64 = 0x6000_0000_0000
    static let stackStart: UInt64 = 0x7000_0000_0000

    var heap: [UInt8] = []
    var state = [UInt8](repeating: 0, count: 4096)
    var stack = [UInt8](repeating: 0, count: 256)
    var blocks: [UInt64] = []
    /// Mappings of this program and of the Swift runtime, with a copy of their memory.
    var files: [(mapping: MemoryImage.Mapping, bytes: UnsafeMutableRawBufferPointer)] = []
    /// Memory of the program that describes its types.
    var spots: [UnsafeMutableRawBufferPointer] = []

    init() {
        let top = Tree()
        let below = Branch(Leaf())
        (top.left, below.up) = (below, top)
        top.action = { top.left = nil }
        readMaps()
        copyObjects(from: unsafeBitCast(top, to: UInt64.self))
        withExtendedLifetime(top) {}
    }

    private mutating func readMaps() {
        let program = CommandLine.arguments[0].split(separator: "/").last.map(String.init) ?? ""
        var end: UInt64 = 0
        var name = ""
        for line in (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8))?.split(separator: "\n") ?? [] {
            let words = line.split(separator: " ", omittingEmptySubsequences: true)
            let ends = words[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
            if words.count > 5 { name = String(words[5]) } else if ends[0] != end { name = "" }
            end = ends[1]
            guard name.hasSuffix("/\(program)") || name.contains("libswiftCore"), words[1].first == "r" else {
                continue
            }
            // The kernel does not mind what the sanitizer has put between variables.
            let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(ends[1] - ends[0]), alignment: 16)
            _ = readMemory(of: getpid(), at: ends[0], into: bytes)
            // Not writable: the harness's own variables are no roots.
            files.append(
                (
                    MemoryImage.Mapping(
                        start: ends[0], end: ends[1], file: words.count > 5 ? name : "",
                        offset: UInt64(words[2], radix: 16) ?? 0), bytes
                ))
        }
    }

    private func memory(at address: UInt64, count: Int) -> UnsafeMutableRawBufferPointer? {
        guard let file = files.first(where: { $0.mapping.start <= address && address < $0.mapping.end }) else {
            return nil
        }
        let start = Int(address - file.mapping.start)
        return UnsafeMutableRawBufferPointer(rebasing: file.bytes[start..<min(start + count, file.bytes.count)])
    }

    /// Lays the objects that the first one leads to one behind the other, as glibc would.
    private mutating func copyObjects(from first: UInt64) {
        var places: [UInt64: UInt64] = [:]
        var order: [UInt64] = []
        var next = Self.heapStart + 0x290
        func place(_ address: UInt64) {
            guard address >= 65536, isBlock(UInt(address)) != 0, places[address] == nil, order.count < 200 else {
                return
            }
            let size = UInt64(blockSize(UInt(address)))
            guard size <= 16384 else { return }
            order.append(address)
            places[address] = next + 16
            next += max((size + 8 + 15) & ~15, 32)
        }
        place(first)
        var index = 0
        while index < order.count {
            for at in stride(
                from: order[index], to: order[index] + UInt64(blockSize(UInt(order[index]))) / 8 * 8, by: 8)
            {
                place(UnsafePointer<UInt64>(bitPattern: UInt(at))!.pointee & addressBits)
            }
            index += 1
        }
        heap = [UInt8](repeating: 0, count: Int(next - Self.heapStart) + 0x1000)
        set(&heap, 8, 0x290 | 1)
        for (address, after) in zip(order, order.dropFirst().map { places[$0]! } + [next + 16]) {
            let offset = Int(places[address]! - Self.heapStart)
            blocks.append(places[address]!)
            set(&heap, offset - 8, after - places[address]! | 1)
            for at in 0..<Int(blockSize(UInt(address))) / 8 {
                let word = UnsafePointer<UInt64>(bitPattern: UInt(address))![at]
                set(&heap, offset + 8 * at, places[word & addressBits].map { $0 | word & ~addressBits } ?? word)
            }
            addSpots(ofTypeAt: UnsafePointer<UInt64>(bitPattern: UInt(address))!.pointee)
        }
        set(&heap, Int(next - Self.heapStart) + 8, 0x1000 | 1)
        let (arena, malloc) = (64, MallocState.known[0])
        set(&state, arena + Int(malloc.top), next)
        set(&state, arena + Int(malloc.next), Self.stateStart + UInt64(arena))
        for bin in 0..<Int(malloc.binCount) {
            let own = arena + Int(malloc.bins) + 16 * bin - 16
            set(&state, own + 16, Self.stateStart + UInt64(own))
            set(&state, own + 24, Self.stateStart + UInt64(own))
        }
        set(&stack, 128, places[first]!)
    }

    private func set(_ bytes: inout [UInt8], _ offset: Int, _ word: UInt64) {
        withUnsafeBytes(of: word) { bytes.replaceSubrange(offset..<offset + 8, with: $0) }
    }

    /// The program's metadata, descriptors and fields.
    private mutating func addSpots(ofTypeAt metadata: UInt64) {
        guard let type = memory(at: metadata &- 16, count: 128), type.count == 128 else { return }
        spots.append(type)
        let descriptor = type.loadUnaligned(fromByteOffset: 56, as: UInt64.self)
        guard let context = memory(at: descriptor, count: 96), context.count == 96 else { return }
        spots.append(context)
        let fields =
            descriptor &+ 16 &+ UInt64(bitPattern: Int64(context.loadUnaligned(fromByteOffset: 16, as: Int32.self)))
        if let fields = memory(at: fields, count: 128) { spots.append(fields) }
    }
}

nonisolated(unsafe) private let world = World()

private func read(_ image: MemoryImage) {
    do throws(MemoryImageError) {
        let recording = try ImageRecording.make(
            image, ProgramRecord(instruments: [.heap, .leaks], executable: "fuzz"),
            ImageQuestions(instruments: [.heap, .leaks]))
        let snapshot = recording.heapSnapshots[0]
        let heap = snapshot.graph!
        precondition(heap.rows.count == heap.count + 1 && heap.rows[heap.count] == heap.targets.count)
        precondition(
            heap.targets.allSatisfy { $0 < heap.count }
                && heap.targets.indices.allSatisfy { heap.label(of: $0) < heap.labels.count })
        precondition(snapshot.references.allSatisfy { max($0.from.index, $0.to.index) <= snapshot.objects.count })
        precondition(recording.capture.notes.allSatisfy { $0.hasSuffix(".") }, "a note is a sentence")
    } catch {
        precondition(error.sentence.hasSuffix("."), "an error is a sentence")
    }
}

/// A change takes four bytes: where and how, place, value.
private func readChanged(_ input: UnsafeRawBufferPointer) {
    let memory = [
        Memory(World.heapStart, world.heap), Memory(World.stateStart, world.state),
        Memory(World.stackStart, world.stack),
    ]
    var undo: [(place: UnsafeMutableRawPointer, word: UInt64)] = []
    for at in stride(from: 0, to: input.count - 3, by: 4) {
        let (kind, value) = (input[at], input[at + 3])
        let place = Int(input[at + 1]) | Int(input[at + 2]) << 8
        let target =
            kind % 4 == 3
            ? world.spots[Int(input[at + 2]) % world.spots.count]
            : kind % 4 == 2 ? memory[1 + place % 2].bytes : memory[0].bytes
        let offset = (kind % 4 == 3 ? Int(input[at + 1]) : place) % (target.count - 7)
        let change = kind / 4 % 4
        let pointer = target.baseAddress! + (change == 0 ? offset : offset & ~7)
        undo.append((pointer, pointer.loadUnaligned(as: UInt64.self)))
        switch change {
        case 0: pointer.storeBytes(of: value, as: UInt8.self)
        case 1: pointer.storeBytes(of: UInt64(value), as: UInt64.self)
        case 2:
            let block = world.blocks[Int(value) % world.blocks.count]
            pointer.storeBytes(of: block + UInt64(kind / 16), as: UInt64.self)
        default: pointer.storeBytes(of: UInt64.max >> UInt64(value % 64), as: UInt64.self)
        }
    }
    var mappings = world.files.map(\.mapping) + memory.map(\.mapping)
    mappings[world.files.count + 1].file = "/lib/libc.so.6"
    mappings[world.files.count + 1].offset = 4096
    var registers = [UInt64](repeating: 0, count: 27)
    registers[19] = World.stackStart
    let thread = ThreadRegisters(machine: 62)!.thread(1, registers)!
    let image = MemoryImage(mappings: mappings, threads: [thread], machine: 62)
    for file in world.files { image.add(UnsafeRawBufferPointer(file.bytes), at: file.mapping.start, owner: memory[0]) }
    for part in memory { image.add(UnsafeRawBufferPointer(part.bytes), at: part.start, owner: part) }
    read(image)
    for (place, word) in undo.reversed() { place.storeBytes(of: word, as: UInt64.self) }
}

private let path: String = {
    let path = "/dev/shm/gameprof-fuzz-\(getpid()).core"
    atexit { unlink("/dev/shm/gameprof-fuzz-\(getpid()).core") }
    return path
}()

private func readCore(_ bytes: UnsafeRawBufferPointer) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    precondition(file >= 0 && write(file, bytes.baseAddress, bytes.count) == bytes.count, "\(path) cannot be written")
    close(file)
    do throws(MemoryImageError) {
        read(try CoreFile(path: path).image)
    } catch {
        precondition(error.sentence.hasSuffix("."), "an error is a sentence")
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHeapImage(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    let bytes = UnsafeRawBufferPointer(start: data, count: size)
    // An ELF file begins with 0x7f.
    if bytes.first == 0x7f { readCore(bytes) } else { readChanged(bytes) }
    return 0
}
