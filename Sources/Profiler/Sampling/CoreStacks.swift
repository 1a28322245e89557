import CRecorderCFI
import Foundation
import GameprofBasics
import GameprofHeap
import GameprofTrace

/// What a core file says of the end of its process: the fault, where each thread stood, and what the runtime said of it.
package struct CoreStacks {
    private let core: CoreFile
    private let stacks: ImageStacks
    private let async: AsyncCallers

    /// Adds to a recording that was made of the core file.
    package static func add(_ core: CoreFile, to recording: inout Recording) {
        let stacks = CoreStacks(core)
        var frames = StackFrames()
        for thread in core.image.threads {
            let found = stacks.frames(of: thread)
            let (stack, new) = frames.number(found.frames, isCut: found.isCut)
            for frame in new { recording.frames.add(frame) }
            recording.threadStacks.append(ThreadStackRecord(thread: ThreadID(rawValue: thread.id), stack: stack))
        }
        recording.threadNames = ThreadTitles.of(
            Dictionary(recording.threadStacks.map { ($0.thread, "") }) { first, _ in first },
            program: recording.program)
        guard core.signal != 0, let first = recording.threadStacks.first else { return }
        recording.crash = CrashRecord(
            signal: core.signal, thread: first.thread, stack: first.stack, address: core.faultAddress,
            isStackOverflow: stacks.isStackOverflow, message: stacks.message ?? "")
    }

    private init(_ core: CoreFile) {
        self.core = core
        stacks = ImageStacks(core.image)
        async = AsyncCallers(stacks.images, walk: stacks.walk)
    }

    private func frames(of thread: MemoryImage.Thread) -> (frames: [gp_copied_frame], isCut: Bool) {
        stacks.walk(thread) { stack, isWhole in (async.joined(stack.words, at: stack.sp), !isWhole) }
    }

    /// Whether the fault was in the room behind the end of the first thread's stack.
    private var isStackOverflow: Bool {
        guard core.signal == SIGSEGV, let address = core.faultAddress, let thread = core.image.threads.first,
            let stack = core.image.stack(of: thread), address < stack.start
        else { return false }
        return stack.start - address <= MemoryImage.guardBytes
            && thread.stackPointer < stack.start + MemoryImage.guardBytes
    }

    // MARK: - What the runtime said

    /// Where the runtime keeps its last message (`swift_getFatalErrorMessageBuffer` in stdlib/public/runtime/Errors.cpp).
    private static let keptMessage = "_ZL18kFatalErrorMessage"

    /// Nil: it said nothing, or it is not known where that stands.
    private var message: String? {
        guard let image = stacks.images.image(called: "libswiftCore.so") ?? stacks.images.executable,
            let path = image.openPath,
            let file = try? ELFFile(path: path),
            let place = ELFSymbols(file, of: .variables).addresses(of: [Self.keptMessage])[Self.keptMessage],
            let text = core.image.word(place &+ image.record.bias), text != 0
        else { return nil }
        return core.image.text(text)
    }
}
