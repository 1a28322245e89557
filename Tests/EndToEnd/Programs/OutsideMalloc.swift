// Memory that the program maps without malloc, and threads that end: some lost, some kept.
import Glibc

@_silgen_name("memfd_create") func memoryFile(_ name: UnsafePointer<CChar>, _ flags: UInt32) -> Int32

@_silgen_name("mremap") func mremap(
    _ address: UnsafeMutableRawPointer, _ length: Int, _ wanted: Int, _ mayMove: Int32
) -> UnsafeMutableRawPointer

let bytes = 2 << 20

final class Texture {
    let name: Int
    let pixels: UnsafeMutableRawPointer
    init(name: Int, pixels: UnsafeMutableRawPointer) { (self.name, self.pixels) = (name, pixels) }
    func unload() { munmap(pixels, bytes) }
}

struct Loader {
    var isShared = false

    @inline(never) func load(_ name: Int) -> Texture {
        let flags = isShared ? MAP_SHARED | MAP_ANONYMOUS : MAP_PRIVATE | MAP_ANONYMOUS
        let pixels = mmap(nil, bytes, PROT_READ | PROT_WRITE, flags, -1, 0)!
        memset(pixels, Int32(name & 255), bytes)
        return Texture(name: name, pixels: pixels)
    }
}

/// The addresses of what it keeps, some with bits of its own, some as the end.
final class Pool {
    var addresses: [UInt] = []
    var ends: [UnsafeMutableRawPointer] = []
}

struct Voices {
    @inline(never) func start(_ attributes: UnsafePointer<pthread_attr_t>? = nil) -> pthread_t {
        var thread = pthread_t()
        precondition(pthread_create(&thread, attributes, { _ in nil }, nil) == 0)
        return thread
    }
    @inline(never) func play() { _ = start() }
}

@inline(never) func clean() {
    // What frames that are gone have left on the stack.
    withUnsafeTemporaryAllocation(byteCount: 32_768, alignment: 16) { _ = memset($0.baseAddress!, 0, 32_768) }
}

nonisolated(unsafe) var pool = Pool()
nonisolated(unsafe) var kept: [Texture] = []
nonisolated(unsafe) var handles: [pthread_t] = []

@inline(never) func run(_ shape: String) {
    switch shape {
    case "lost", "lost-shared":
        let loader = Loader(isShared: shape == "lost-shared")
        for name in 1...30 {
            let texture = loader.load(name)
            if name % 3 > 0 { texture.unload() }
        }
    case "kept":
        let loader = Loader()
        for name in 1...10 {
            kept.append(loader.load(name))
            pool.addresses.append(UInt(bitPattern: loader.load(name).pixels) | 1 << 63 | 1)
        }
    case "kept-ends":
        for name in 1...10 { pool.ends.append(Loader().load(name).pixels + bytes) }
    case "ring":
        // The same memory twice, side by side: its owner has the first address alone.
        for _ in 1...10 {
            let whole = mmap(nil, 2 * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)!
            let file = memoryFile("ring", 0)
            ftruncate(file, off_t(bytes))
            for half in 0...1 {
                _ = mmap(whole + half * bytes, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0)
            }
            close(file)
            pool.addresses.append(UInt(bitPattern: whole))
        }
    case "some-lost":
        for name in 1...60 {
            let texture = Loader().load(name)
            if name % 2 == 0 { kept.append(texture) }
        }
    case "unmapped":
        for name in 1...30 { Loader().load(name).unload() }
    case "moved":
        for name in 1...10 {
            let texture = Loader().load(name)
            let wider = mremap(texture.pixels, bytes, 2 * bytes, 1)
            pool.ends.append(wider + 2 * bytes)
        }
    case "aligned", "aligned-unmapped":
        // As allocators do: more is mapped than is needed, and what lies beside it is unmapped.
        for _ in 1...10 {
            let whole = mmap(nil, 2 * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)!
            let start = (UInt(bitPattern: whole) + UInt(bytes) - 1) & ~UInt(bytes - 1)
            let front = Int(start - UInt(bitPattern: whole))
            if front > 0 { munmap(whole, front) }
            if front < bytes { munmap(whole + front + bytes, bytes - front) }
            if shape == "aligned" { pool.addresses.append(start) } else { munmap(whole + front, bytes) }
        }
    case "unjoined":
        let voices = Voices()
        for _ in 1...40 { voices.play() }
    case "kept-handles":
        for _ in 1...40 { handles.append(Voices().start()) }
    case "joined", "detached":
        for _ in 1...40 {
            let thread = Voices().start()
            if shape == "joined" { pthread_join(thread, nil) } else { pthread_detach(thread) }
        }
    default: preconditionFailure(shape)
    }
}

func threads() -> Int {
    guard let folder = opendir("/proc/self/task") else { return 0 }
    defer { closedir(folder) }
    var entries = 0
    while readdir(folder) != nil { entries += 1 }
    return entries - 2
}

run(CommandLine.arguments[1])
while threads() > 1 { usleep(1_000) }
clean()
print("done")
