import Foundation
import Testing

@testable import GameprofSampling

/// Records of a perf event's ring, made by hand.
@Suite("Records of perf events")
struct PerfRecordTests {
    /// Registers in the order of their numbers: on x86-64 rbp, rsp, rip; on aarch64 x29, x30, sp, pc.
    #if arch(x86_64)
    private static let registers: [UInt64] = [0xf0, 0x5000, 0xc0]
    private static let link: UInt = 0
    #else
    private static let registers: [UInt64] = [0xf0, 0x11, 0x5000, 0xc0]
    private static let link: UInt = 0x11
    #endif

    private func bytes(_ words: [UInt64]) -> [UInt8] {
        words.flatMap { word in withUnsafeBytes(of: word) { Array($0) } }
    }

    private func record(_ kind: UInt32, _ words: [UInt64], size: Int? = nil) -> [UInt8] {
        bytes([UInt64(kind) | UInt64(size ?? 8 + 8 * words.count) << 48] + words)
    }

    /// A sample of thread 7 with a stack of some words, of which the kernel has copied `used` bytes.
    private func sample(_ stack: [UInt64], size: UInt64? = nil, used: UInt64? = nil, abi: UInt64 = 2) -> [UInt64] {
        let bytes = UInt64(stack.count * 8)
        return [7 << 32 | 6, 1_000, 42, abi] + (abi == 0 ? [] : Self.registers) + [size ?? bytes] + stack
            + (stack.isEmpty ? [] : [used ?? bytes])
    }

    private func read(_ bytes: [UInt8], _ body: (PerfRecord?) -> Void) {
        bytes.withUnsafeBytes { body(PerfRecord.read($0)) }
    }

    @Test("a sample gives thread, time, event, registers and the words that were copied")
    func wholeSample() {
        read(record(9, sample([1, 2, 3], used: 16))) { record in
            guard case .sample(let stack, let event) = record else {
                Issue.record("no sample")
                return
            }
            #expect(event == 42)
            #expect(stack.process == 6 && stack.thread == 7 && stack.time == 1_000)
            #expect([stack.fp, stack.link, stack.sp, stack.pc] == [0xf0, Self.link, 0x5000, 0xc0])
            #expect(stack.words.count == 16 && stack.words.loadUnaligned(fromByteOffset: 8, as: UInt64.self) == 2)
            #expect(!stack.isCut)
        }
    }

    @Test("a stack that fills its copy goes on behind it; a thread without user mode has neither registers nor a stack")
    func edges() {
        read(record(9, sample([1, 2]))) { record in
            guard case .sample(let stack, _) = record else {
                Issue.record("no sample")
                return
            }
            #expect(stack.isCut && stack.words.count == 16)
        }
        read(record(9, sample([], abi: 0))) { record in
            guard case .sample(let stack, _) = record else {
                Issue.record("no sample")
                return
            }
            #expect(stack.pc == 0 && stack.words.isEmpty && !stack.isCut)
        }
    }

    @Test("lost records are counted, unknown ones are passed over")
    func others() {
        read(record(2, [42, 5])) { record in
            guard case .lost(5) = record else {
                Issue.record("not lost")
                return
            }
        }
        read(record(13, [3])) { record in
            guard case .lost(3) = record else {
                Issue.record("not lost")
                return
            }
        }
        read(record(4, [1, 2, 3])) { record in
            guard case .other = record else {
                Issue.record("not passed over")
                return
            }
        }
    }

    @Test("sizes and counts beyond the record are malformed, whatever they are")
    func hostile() {
        let stack: [UInt64] = [1, 2, 3]
        for size in [UInt64.max, 1 << 63, 25, 1 << 32, UInt64(Int.max)] {
            read(record(9, sample(stack, size: size))) { #expect($0 == nil) }
        }
        for used in [25, UInt64.max] { read(record(9, sample(stack, used: used))) { #expect($0 == nil) } }
        let whole = record(9, sample(stack))
        for size in [0, 7, whole.count + 8, 65535] {
            read(record(9, sample(stack), size: size)) { #expect($0 == nil, "\(size)") }
        }
        // Cut at any place, with a size that fits what is left.
        for count in stride(from: 8, to: whole.count, by: 8) {
            read(record(9, Array(sample(stack).prefix(count / 8 - 1)))) { #expect($0 == nil, "\(count)") }
        }
        read([]) { #expect($0 == nil) }
        read([9, 0, 0]) { #expect($0 == nil) }
    }

    @Test("a record that goes over the end of the ring is read in one piece")
    func wrapped() {
        let wanted = record(9, sample([1, 2, 3]))
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { room.deallocate() }
        for offset in stride(from: 0, to: 256, by: 8) {
            var ring = [UInt8](repeating: 0xee, count: 256)
            for (index, byte) in wanted.enumerated() { ring[(offset + index) % ring.count] = byte }
            let tail = UInt64(1 << 20 + offset)
            ring.withUnsafeBytes { ring in
                let found = PerfRing.record(at: tail, until: tail + UInt64(wanted.count), of: ring, room: room)
                #expect(found.map(Array.init) == wanted)
                // One that the kernel has not written whole.
                #expect(PerfRing.record(at: tail, until: tail + 8, of: ring, room: room) == nil)
            }
        }
    }
}
