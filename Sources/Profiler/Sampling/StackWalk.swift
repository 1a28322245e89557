import CRecorderCFI
import Foundation
import GameprofHeap

/// Unwinds copies of stacks, by the rules of the recorder (`Sources/Recorder/CFI`).
final class StackWalk {
    private let images: any CodeSource
    private var generation = 0
    private var rules: [UInt: UInt64] = [:]
    private var starts: [UInt: UInt] = [:]
    /// The frames of the last stack, innermost first.
    private(set) var frames: [gp_copied_frame] = []
    /// Nanoseconds of the clock; what is not known of images is looked up at most so often.
    var now: UInt64 = 0

    /// Deeper stacks are cut.
    private static let mostFrames = 1024
    /// Bytes of a stack that are read from the process where it is deeper than its copy.
    private static let mostBytes = 1 << 20
    private let found = UnsafeMutableBufferPointer<gp_copied_frame>.allocate(capacity: mostFrames)
    private lazy var room = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.mostBytes, alignment: 16)

    init(_ images: any CodeSource) { self.images = images }

    deinit {
        found.deallocate()
        room.deallocate()
    }

    /// Fills `frames`. True: the outermost frame was reached. Where the words of the copy end before the stack does, the outer frames
    /// are read from the process, which has gone on meanwhile: they change least.
    func walk(_ stack: CopiedStack) -> Bool {
        if walk(stack, stack.words) { return true }
        guard stack.isCut, stack.sp & 7 == 0 else { return false }
        let count = min(stack.words.count & ~7, room.count)
        room.copyMemory(from: UnsafeRawBufferPointer(rebasing: stack.words[..<count]))
        let rest = UnsafeMutableRawBufferPointer(rebasing: room[count...])
        let more = images.read(at: UInt64(stack.sp) &+ UInt64(count), into: rest)
        return walk(stack, UnsafeRawBufferPointer(rebasing: room[..<(count + more)]))
    }

    private func walk(_ stack: CopiedStack, _ words: UnsafeRawBufferPointer) -> Bool {
        var copied = gp_copied_stack(
            pc: stack.pc, sp: stack.sp, fp: stack.fp, link: stack.link, words: words.baseAddress, size: words.count)
        var isWhole = false
        let count = gp_copied_stack_walk(
            &copied,
            { context, pc, exact in
                Unmanaged<StackWalk>.fromOpaque(context!).takeUnretainedValue().rule(at: pc, exact: exact)
            }, Unmanaged.passUnretained(self).toOpaque(), found.baseAddress, found.count, &isWhole)
        frames.replaceSubrange(frames.startIndex..., with: found[..<count])
        return isWhole
    }

    // MARK: - What is known of code

    private func checkImages() {
        guard generation != images.generation else { return }
        generation = images.generation
        rules = [:]
        starts = [:]
    }

    /// What stands in front of a return address, with regard to a function; 0: any.
    func call(before address: UInt, of function: UInt) -> gp_call_kind {
        guard let call = images.image(at: address, now: now)?.call(before: address) else { return GP_NO_CALL }
        var target = call.target
        if call.word != 0 {
            let count = withUnsafeMutableBytes(of: &target) { images.read(at: UInt64(call.word), into: $0) }
            if count < 8 { target = 0 }
        }
        if target == 0 { return GP_SOME_CALL }
        if target == function { return GP_CALL_OF_FUNCTION }
        return function != 0 && functionStart(of: target) == target ? GP_NO_CALL : GP_SOME_CALL
    }

    func rule(at pc: UInt, exact: Bool) -> UInt64 {
        checkImages()
        let key = pc << 1 | (exact ? 1 : 0)
        if let rule = rules[key] { return rule }
        guard pc >> 56 == 0 else { return 0 }
        let place = exact ? pc : pc &- 1
        let rule = images.image(at: place, now: now)?.rule(at: place, exact: exact) ?? 0
        checkImages()
        // What has none may have one as soon as its image is known.
        if rule != 0 { rules[key] = rule }
        return rule
    }

    /// Where the function begins that holds an address; 0: that is not known.
    func functionStart(of pc: UInt) -> UInt {
        checkImages()
        if let start = starts[pc] { return start }
        let start = images.image(at: pc, now: now)?.functionStart(of: pc) ?? 0
        checkImages()
        starts[pc] = start
        return start
    }
}
