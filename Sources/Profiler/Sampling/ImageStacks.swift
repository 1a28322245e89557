import CRecorderCFI
import Foundation
import GameprofHeap

/// Unwinds the stacks of the threads of an image, which a core file or a look at a process has made.
package struct ImageStacks {
    let images: CoreImages
    let walk: StackWalk
    private let image: MemoryImage

    /// Bytes of a stack that are looked at: that of the main thread may grow to 8 MiB.
    private static let mostBytes: UInt64 = 8 << 20

    package init(_ image: MemoryImage) {
        self.image = image
        images = CoreImages(image)
        walk = StackWalk(images)
    }

    /// The frames of a thread, innermost first; empty: not all of them could be found.
    package func frames(of thread: MemoryImage.Thread) -> [IdleThreads.Frame] {
        walk(thread) { _, isWhole in
            guard isWhole else { return [] }
            // A frame ends where that of its caller begins, and nothing lies in the frame of the C library's first instructions.
            let ends = walk.frames.dropFirst().map(\.sp) + walk.frames.suffix(1).map(\.sp)
            return zip(walk.frames, ends).map { IdleThreads.Frame(end: UInt64($1), returnAddress: UInt64($0.pc)) }
        }
    }

    /// - Parameter body: is called with the stack while its words are there, and whether the outermost frame was reached.
    func walk<Result>(_ thread: MemoryImage.Thread, _ body: (CopiedStack, Bool) -> Result) -> Result {
        let sp = thread.stackPointer
        let mapping = image.stack(of: thread)
        // Without room for the last call, what it would have stored is nowhere.
        let missing = (mapping?.start ?? sp) - min(sp, mapping?.start ?? sp)
        let size = (mapping?.end ?? sp) - max(sp, mapping?.start ?? sp)
        let room = UnsafeMutableRawBufferPointer.allocate(
            byteCount: Int(missing + min(size, Self.mostBytes)), alignment: 16)
        defer { room.deallocate() }
        UnsafeMutableRawBufferPointer(rebasing: room[..<Int(missing)]).initializeMemory(as: UInt8.self, repeating: 0)
        let count =
            Int(missing)
            + images.read(at: sp + missing, into: UnsafeMutableRawBufferPointer(rebasing: room[Int(missing)...]))
        let (registers, places) = (thread.registers, ThreadRegisters(machine: image.machine))
        let stack = CopiedStack(
            process: 0, thread: 0, time: 0, pc: UInt(thread.programCounter), sp: UInt(sp),
            fp: UInt(places.map { registers[$0.framePointer] } ?? 0),
            link: places?.link.map { UInt(registers[$0]) } ?? 0, words: UnsafeRawBufferPointer(rebasing: room[..<count])
        )
        return body(stack, walk.walk(stack))
    }
}
