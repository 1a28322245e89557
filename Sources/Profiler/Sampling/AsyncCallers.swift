import CRecorderCFI
import CTraceFormat
import Foundation
import GameprofBasics
import GameprofHeap

/// The logical stack of an async function, by the rule of the recorder (`Sources/Recorder/Time/async_stack.c`): the awaiting callers
/// are a chain of contexts in the task's memory, and code that keeps frame pointers keeps its context right below its frame.
struct AsyncCallers {
    private let images: any CodeSource
    private let walk: StackWalk
    /// `swift_job_run`; 0: the program has no tasks.
    private var jobRun: UInt = 0
    /// Where the runtime is part of the program: where its functions begin.
    private var functions: Set<UInt> = []
    /// The library.
    private var library: Range<UInt>?

    private static let (deepestExecutor, mostCallers) = (24, 64)

    /// `gp_job_functions`.
    private static let names = withUnsafeBytes(of: gp_job_functions) {
        $0.assumingMemoryBound(to: UnsafePointer<CChar>.self).map { String(cString: $0) }
    }

    init(_ images: any CodeSource, walk: StackWalk) {
        (self.images, self.walk) = (images, walk)
        let shared = images.image(called: "libswift_Concurrency.so")
        guard let image = shared ?? images.executable, let path = image.openPath, let file = try? ELFFile(path: path)
        else { return }
        let found = ELFSymbols(file).addresses(of: Set(Self.names)).mapValues { UInt($0 &+ image.record.bias) }
        jobRun = found[Self.names[0]] ?? 0
        functions = Set(found.values)
        library = shared.map { UInt($0.record.start)..<UInt($0.record.end) }
    }

    private func isRuntime(_ pc: UInt) -> Bool {
        if let library { return library.contains(pc) }
        let start = walk.functionStart(of: pc)
        return start != 0 && functions.contains(start)
    }

    /// Index of the frame that the executor resumed; nil: the stack is not that of a job.
    private func resumed(_ frames: [gp_copied_frame]) -> Int? {
        let outermost = frames.indices.reversed().prefix(Self.deepestExecutor)
        guard
            var index = outermost.first(where: {
                (library == nil || isRuntime(frames[$0].pc)) && walk.functionStart(of: frames[$0].pc &- 1) == jobRun
            })
        else { return nil }
        while index >= 0, isRuntime(frames[index].pc &- 1) { index -= 1 }
        return index >= 0 && index < frames.count - 1 ? index : nil
    }

    /// The frames of the last stack, with the awaiting callers in place of the executor. The chain is read from the process, which
    /// has gone on since its stack was copied.
    /// - Parameters:
    ///   - stack: the copy.
    ///   - start: the address of its first word.
    func joined(_ stack: UnsafeRawBufferPointer, at start: UInt) -> [gp_copied_frame] {
        let frames = walk.frames
        guard jobRun != 0, let resumed = resumed(frames),
            let context = word(at: frames[resumed].fp &- 8, stack, start)
        else { return frames }
        var callers = follow(context)
        // The end of a task is the runtime's own.
        while let last = callers.last, isRuntime(last) { callers.removeLast() }
        guard !callers.isEmpty else { return frames }
        return frames[...resumed] + callers.map { gp_copied_frame(pc: $0, fp: 0, sp: 0, exact: true) }
    }

    private func word(at place: UInt, _ stack: UnsafeRawBufferPointer, _ start: UInt) -> UInt? {
        guard place & 7 == 0 else { return nil }
        let offset = place &- start
        if offset < UInt(stack.count), UInt(stack.count) - offset >= 8 {
            return stack.loadUnaligned(fromByteOffset: Int(offset), as: UInt.self)
        }
        return pair(at: place)?.0
    }

    /// Where each awaiting caller goes on, the nearest first.
    private func follow(_ context: UInt) -> [UInt] {
        var callers: [UInt] = []
        var place = context
        while callers.count < Self.mostCallers, place & 7 == 0, let (parent, resume) = pair(at: place), resume != 0,
            walk.functionStart(of: resume) == resume
        {
            callers.append(resume)
            if parent == place { break }
            place = parent
        }
        return callers
    }

    /// The beginning of an async context: the awaiting caller's, and the code that goes on there.
    private func pair(at place: UInt) -> (UInt, UInt)? {
        var words: (UInt, UInt) = (0, 0)
        guard place >> 47 == 0 else { return nil }
        return withUnsafeMutableBytes(of: &words) { images.read(at: UInt64(place), into: $0) } == 16
            ? words : nil
    }
}
