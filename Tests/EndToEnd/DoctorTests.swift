import Foundation
import Testing

@Suite struct DoctorTests {
    @Test func `the doctor reads a program of its own right and says what the machine permits`() throws {
        let result = try Command.run(Products.gameprof, ["doctor"])
        #expect(result.status == 0, "\(result.output)\(result.error)")
        for subject in [
            "recorder", "Swift runtime as expected", "symbolizer", "aarch64       there is no recorder for it here",
            "perf events",
            "address space", "ptrace",
        ] {
            #expect(result.output.contains(subject), "\(subject) is missing in \(result.output)")
        }
    }

    @Test func `the doctor says of a process what a look at it gives, and of none that there is none`() throws {
        let sleeping = Process()
        sleeping.executableURL = URL(filePath: "/bin/sleep")
        sleeping.arguments = ["60"]
        try sleeping.run()
        defer { sleeping.terminate() }
        let result = try Command.run(Products.gameprof, ["doctor", "\(sleeping.processIdentifier)"])
        #expect(result.status == 0, "\(result.output)\(result.error)")
        for subject in [
            "process", "ptrace        permitted", "malloc        glibc's", "Swift runtime no library", "memory",
            "attach        no recorder waits there",
        ] {
            #expect(result.output.contains(subject), "\(subject) is missing in \(result.output)")
        }
        let none = try Command.run(Products.gameprof, ["doctor", "4194304"])
        #expect(none.status == 2 && none.error.contains("There is no process 4194304."), "\(none.error)")
    }

    @Test func `a recorder that is missing is said and ends with 4`() throws {
        let result = try Command.run(
            Products.gameprof, ["doctor"], environment: ["GAMEPROF_LIBRARY": "/nonexistent/libGameRecorder.so"])
        #expect(result.status == 4)
        #expect(result.output.contains("missing"))
    }
}
