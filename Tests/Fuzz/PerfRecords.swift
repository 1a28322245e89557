// The tool's reader of the rings of perf events: records, also over the end of a ring, with the registers and stacks in them.
// Sources: Sources/Profiler/Sampling/PerfRecord.swift Sources/Profiler/Sampling/PerfRing.swift
import Foundation

nonisolated(unsafe) private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPerfRecords(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    guard size >= 16 else { return 0 }
    let ring = UnsafeRawBufferPointer(start: data, count: size & ~7)
    var tail = UInt64(data[0]) * 8
    let head = tail + UInt64(ring.count)
    var sum: UInt8 = 0
    while tail < head, let bytes = PerfRing.record(at: tail, until: head, of: ring, room: room) {
        if case .sample(let stack, _)? = PerfRecord.read(bytes) {
            precondition(stack.words.count <= bytes.count)
            for byte in stack.words { sum ^= byte }
        }
        tail += UInt64(bytes.count)
        // A header begins at a multiple of 8 bytes.
        if tail % 8 != 0 { break }
    }
    return CInt(sum & 0)
}
