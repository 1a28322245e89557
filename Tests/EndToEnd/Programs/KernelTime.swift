// Reads zeros, which the kernel makes, and computes, for two seconds of CPU time in all. Prints the share of the CPU time that went into the
// reading, or that a read was cut short.
import Glibc

func cpuSeconds() -> Double {
    var now = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
}

@inline(never) func readZeros(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    let file = open("/dev/zero", O_RDONLY)
    defer { close(file) }
    var short = 0
    for _ in 0..<40 where read(file, buffer.baseAddress, buffer.count) != buffer.count { short += 1 }
    return short
}

@inline(never) func compute(_ seed: Int) -> Int {
    var sum = seed
    for n in 0..<400_000 { sum = sum &* 31 &+ n }
    return sum
}

let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
buffer.initializeMemory(as: UInt8.self, repeating: 1)
var (reading, short, sum) = (0.0, 0, 1)
let start = cpuSeconds()
while cpuSeconds() - start < 2 {
    let before = cpuSeconds()
    short += readZeros(buffer)
    reading += cpuSeconds() - before
    sum = compute(sum)
}
print(short == 0 ? "\(reading / (cpuSeconds() - start))" : "\(short) reads were cut short")
print(sum)
