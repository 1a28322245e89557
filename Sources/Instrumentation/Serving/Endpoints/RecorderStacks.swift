#if Instrumented
internal import CRecorderInterface
#endif

/// The stacks that the recorder of this process knows.
package enum RecorderStacks {
    /// The addresses of a stack's instructions, innermost first.
    package static func frames(of stack: UInt32) -> [UInt64] {
        #if Instrumented
        let deepest = 512
        return withUnsafeTemporaryAllocation(of: gp_figure_frame.self, capacity: deepest) { frames in
            let count = gp_figures_stack(stack, frames.baseAddress, deepest)
            return frames.prefix(count).map { $0.is_exact ? $0.address : $0.address &- 1 }
        }
        #else
        return []
        #endif
    }
}
