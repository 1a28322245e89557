import Testing

/// What the sampler keeps of a thread and writes of it.
@Suite struct SamplerTests {
    @Test func aThreadsOwnStackIsFoundOnSignalStacksAndInCoroutines() throws {
        let parts = ["OS/thread_stack.c", "OS/thread_control_block.c", "OS/mapping.c"]
        #expect(try HeapProgram.run("ThreadStack.c", with: parts) == "passed\n")
    }

    /// A chunk is read without the one before it, and a stack without the stack of the moment when it was first found.
    @Test func eachSampleStandsBehindItsLabelAndOnItsThreadsStack() throws {
        let parts = ["OS/thread_stack.c", "OS/thread_control_block.c", "OS/mapping.c", "Trace/trace_writer.c"]
        #expect(try HeapProgram.run("Samples.c", with: parts + ["Time/sample.c", "Time/cpu_counts.c"]) == "passed\n")
    }

    @Test func optionsAreWordsAndNumbersThatAlwaysFit() throws {
        #expect(try HeapProgram.run("Lists.c", with: ["Time/options.c"]) == "passed\n")
    }

    @Test("whatever stands where an async function keeps its context, no sample reads memory that is not there")
    func contextsAnywhere() throws {
        let parts = ["Time/async_stack.c", "OS/safe_read.c"]
        #expect(try HeapProgram.run("AsyncStack.c", with: parts) == "passed\n")
    }
}
