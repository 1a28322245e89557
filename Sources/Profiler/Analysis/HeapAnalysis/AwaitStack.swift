import GameprofBasics
import GameprofTrace

/// The functions that wait in a task, as its memory has them.
enum AwaitStack {
    /// The functions without what runtime and compiler put between them.
    static func of(_ resume: [UInt64], _ symbolicator: any Symbolicating) -> CallStack {
        let frames = resume.flatMap { symbolicator.frames(atExact: $0) }
        let kept = frames.filter { !$0.isRuntimeSupport && !$0.function.contains("(swift::AsyncContext") }
        return CallStack(SymbolicatedStack(frames: kept)) ?? CallStack(frames: [])
    }

    /// The library's functions say for what it made the continuation.
    static func libraryWait(_ stack: CallStack) -> TaskReport.State.Kind? {
        for frame in stack.frames.prefix(while: { $0.origin != .user })
        where frame.module == "_Concurrency" || frame.module == "Swift" {
            let name = frame.function.hasPrefix("static ") ? frame.function.dropFirst(7) : frame.function[...]
            let own = name.prefix { $0 != "(" }
            if own.hasSuffix(".sleep") || own.hasSuffix("._sleep<A>") || own.hasSuffix(".sleep<A>")
                || own.hasSuffix("._sleep")
            {
                return .sleep
            }
            if own.hasPrefix("AsyncStream.") || own.hasPrefix("AsyncThrowingStream."), own.hasSuffix(".next") {
                return .stream
            }
        }
        return nil
    }
}
