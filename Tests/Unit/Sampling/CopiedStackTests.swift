import CRecorderCFI
import Foundation
import Testing

@testable import GameprofHeap
@testable import GameprofSampling

/// Stacks that are unwound by a copy of their words.
@Suite("Copied stacks")
struct CopiedStackTests {
    /// As `rule.h` packs them: the kind of the CFA, that of fp, and in words of 8 bytes the CFA's offset, and where fp is, or on
    /// aarch64 the return address of a frame that leaves fp alone.
    private enum Rule {
        #if arch(x86_64)
        static func leaf(_ words: UInt64) -> UInt64 { 1 | words << 8 }
        #else
        static func leaf(_ words: UInt64) -> UInt64 { 1 | words << 8 | UInt64(bitPattern: -1) << 40 }
        #endif
        /// CFA = fp + 16, the pair of fp and return address below it.
        static let framed: UInt64 = 2 | 1 << 3 | 2 << 8 | UInt64(bitPattern: -2) << 40
        static let end: UInt64 = 6
    }

    private final class Rules {
        let rules: [UInt: UInt64]
        init(_ rules: [UInt: UInt64]) { self.rules = rules }
    }

    private func walk(
        _ words: [UInt], sp: UInt = 0x7f00_0000_1000, fp: UInt = 0, rules: [UInt: UInt64], pc: UInt = 0x100,
        capacity: Int = 16, size: Int? = nil
    ) -> (pcs: [UInt], isWhole: Bool) {
        let table = Rules(rules)
        var frames = [gp_copied_frame](repeating: gp_copied_frame(), count: capacity)
        var isWhole = false
        let count = words.withUnsafeBytes { words in
            var stack = gp_copied_stack(
                pc: pc, sp: sp, fp: fp, link: 0, words: words.baseAddress, size: size ?? words.count)
            return gp_copied_stack_walk(
                &stack,
                { context, pc, _ in Unmanaged<Rules>.fromOpaque(context!).takeUnretainedValue().rules[pc] ?? 0 },
                Unmanaged.passUnretained(table).toOpaque(), &frames, frames.count, &isWhole)
        }
        return (frames[..<count].map(\.pc), isWhole)
    }

    private static let sp: UInt = 0x7f00_0000_1000

    @Test("a chain of frames with and without a frame pointer is followed to its end")
    func wholeChain() {
        // The leaf has two words; its caller's pair of fp and return address stands at word 4, the next one's at word 6.
        let words: [UInt] = [0, 0x200, 0, 0, Self.sp + 48, 0x300, 0, 0x400, 0]
        let found = walk(
            words, fp: Self.sp + 32,
            rules: [0x100: Rule.leaf(2), 0x200: Rule.framed, 0x300: Rule.framed, 0x400: Rule.end])
        #expect(found.pcs == [0x100, 0x200, 0x300, 0x400])
        #expect(found.isWhole)
    }

    @Test("a copy that ends early, code that nobody knows and a chain in a circle end the stack")
    func brokenChains() {
        let rules = [UInt(0x100): Rule.leaf(2), 0x200: Rule.framed]
        #expect(walk([0], rules: rules) == ([0x100], false))
        #expect(walk([0, 0x999], rules: rules) == ([0x100], false))
        #expect(walk([0, 0x200], fp: Self.sp, rules: rules) == ([0x100, 0x200], false))
        // Its own frame again.
        #expect(
            walk([Self.sp, 0x200, 0], fp: Self.sp, rules: [0x100: Rule.framed, 0x200: Rule.framed]).pcs.count == 2)
        #expect(walk([], rules: rules) == ([0x100], false))
        #expect(walk([0, 0x200], rules: [:]) == ([], false))
    }

    @Test("registers that a program has made up lead to no read outside of the copy")
    func hostileRegisters() {
        let rules = [UInt(0x100): Rule.framed, 0x200: Rule.leaf(2)]
        let values: [UInt] = [
            0, 1, 7, 8, UInt.max, UInt.max - 7, UInt.max - 8, 1 << 63, Self.sp - 8, Self.sp + 24, Self.sp + 1,
        ]
        for sp in values + [Self.sp] {
            for fp in values {
                for pc in [UInt(0x100), 0x200] {
                    let found = walk([0x200, 0x200, 0x200], sp: sp, fp: fp, rules: rules, pc: pc)
                    #expect(found.pcs.count <= 4)
                }
            }
        }
    }

    @Test("no more frames are stored than there is room for")
    func capacity() {
        var words: [UInt] = []
        for _ in 0..<64 { words += [0, 0x100] }
        #expect(walk(words, rules: [0x100: Rule.leaf(2)], capacity: 5).pcs.count == 5)
    }

    @Test("what was saved below the stack pointer was restored: the frame pointer is the register's own")
    func restoredFramePointer() {
        #if arch(x86_64)
        // At a return behind the pop: CFA = sp + 8, fp saved at CFA − 16.
        let popped: UInt64 = 1 | 1 << 3 | 1 << 8 | UInt64(bitPattern: -2) << 40
        let words: [UInt] = [0x200, 0, 0x300]
        let found = walk(
            words, fp: Self.sp + 8, rules: [0x100: popped, 0x200: Rule.framed, 0x300: Rule.end])
        #expect(found.pcs == [0x100, 0x200, 0x300])
        #endif
    }

    @Test("images whose headers were made up are read within their copy alone")
    func hostileImages() throws {
        let own = try Data(contentsOf: URL(filePath: "/proc/self/exe")).prefix(1 << 16)
        let head = MemoryImage.Mapping(start: 0x5000_0000_0000, end: 0x5000_0001_0000, file: "/made/up")
        var random = SystemRandomNumberGenerator()
        for turn in 0..<200 {
            var bytes = [UInt8](own)
            for _ in 0..<(turn == 0 ? 0 : 8) {
                bytes[Int.random(in: 0..<1024, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let image = LoadedImage(head: head, openPath: nil) { offset, room in
                guard offset < UInt64(bytes.count) else { return 0 }
                let count = min(room.count, bytes.count - Int(offset))
                bytes.withUnsafeBytes {
                    room.baseAddress!.copyMemory(from: $0.baseAddress! + Int(offset), byteCount: count)
                }
                return count
            }
            guard let image else { continue }
            for place in stride(from: UInt(head.start), to: UInt(head.start) + (1 << 16), by: 4093) {
                _ = image.rule(at: place, exact: true)
                _ = image.functionStart(of: place)
                _ = image.call(before: place)
            }
            #expect(image.rule(at: 0, exact: true) == 0)
            #expect(image.rule(at: .max, exact: false) == 0)
        }
    }
}
