import Testing

@Suite struct DoctorTests {
    @Test func `the doctor reads a program of its own right and says what the machine permits`() throws {
        let result = try Command.run(Products.gameprof, ["doctor"])
        #expect(result.status == 0, "\(result.output)\(result.error)")
        for subject in [
            "recorder", "Swift runtime as expected", "symbolizer", "perf events", "address space", "ptrace",
        ] {
            #expect(result.output.contains(subject), "\(subject) is missing in \(result.output)")
        }
    }

    @Test func `a recorder that is missing is said and ends with 4`() throws {
        let result = try Command.run(
            Products.gameprof, ["doctor"], environment: ["GAMEPROF_LIBRARY": "/nonexistent/libGameRecorder.so"])
        #expect(result.status == 4)
        #expect(result.output.contains("missing"))
    }
}
