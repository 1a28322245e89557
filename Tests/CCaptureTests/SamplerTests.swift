import Testing

/// What the sampler keeps of a thread and writes of it.
@Suite struct SamplerTests {
    @Test func aThreadsOwnStackIsFoundOnSignalStacksAndInCoroutines() throws {
        let parts = ["../recorder/thread_stack.c", "../recorder/mapping.c"]
        #expect(try HeapProgram.run("ThreadStack.c", with: parts) == "passed\n")
    }
}
