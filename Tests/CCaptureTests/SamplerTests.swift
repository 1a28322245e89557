import Testing

/// What the sampler keeps of a thread and writes of it.
@Suite struct SamplerTests {
    @Test func aThreadsOwnStackIsFoundOnSignalStacksAndInCoroutines() throws {
        let parts = ["../recorder/thread_stack.c", "../recorder/noted_stack.c", "../recorder/mapping.c"]
        #expect(try HeapProgram.run("ThreadStack.c", with: parts) == "passed\n")
    }

    /// A chunk is read without the one before it, and a stack without the stack of the moment when it was first found.
    @Test func eachSampleStandsBehindItsLabelAndOnItsThreadsStack() throws {
        let parts = ["thread_stack.c", "noted_stack.c", "mapping.c", "trace_writer.c"].map { "../recorder/\($0)" }
        #expect(try HeapProgram.run("Samples.c", with: parts + ["../sampler/sample.c"]) == "passed\n")
    }

    @Test func optionsAreWordsAndNumbersThatAlwaysFit() throws {
        #expect(try HeapProgram.run("Lists.c", with: ["../sampler/options.c"]) == "passed\n")
    }

    @Test("whatever stands where an async function keeps its context, no sample reads memory that is not there")
    func contextsAnywhere() throws {
        let parts = ["../sampler/async_stack.c", "../recorder/careful_read.c"]
        #expect(try HeapProgram.run("AsyncStack.c", with: parts) == "passed\n")
    }
}
