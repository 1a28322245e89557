import Foundation
import GameprofBasics
import GameprofTestSupport
import RecorderLibrary
import Testing

@testable import GameprofTrace

/// The sampled heap: the recorder's own C functions, and estimates of what they sample.
@Suite struct BlockSamplingTests {
    private static let program = Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "gameprof-sampling-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let output = folder.appending(path: "program").path
        let sources = [
            "\(RecorderSources.package.path)/Tests/Programs/Heap/BlockSampling.c",
            RecorderSources.file("Blocks/block_sampling.c"),
        ]
        let flags = ["-std=gnu11", "-O2", "-g", "-pthread"] + RecorderSources.includes
        let errors = try HeapProgram.text(of: ["clang"] + flags + sources + ["-lm", "-o", output])
        return (path: output, errors: errors)
    }

    @Test("gaps between samples are exponential, weights are exact, threads have gaps of their own")
    func gaps() throws {
        let program = try Self.program.get()
        #expect(program.errors == "")
        #expect(try HeapProgram.text(of: [program.path]) == "passed\n")
    }

    /// 2 · 1,000 figures of which 95 % are to be inside; the seeds are fixed.
    @Test("the true totals of 1,000 seeded runs lie in the stated interval at the stated rate")
    func coverage() throws {
        let program = try Self.program.get()
        let lines = try HeapProgram.text(of: [program.path, "1000", "20000"]).split(separator: "\n")
        #expect(lines.count == 1000)
        var inside = (bytes: 0, count: 0)
        var mean = (bytes: 0.0, count: 0.0)
        var truth = (bytes: 0.0, count: 0.0)
        for line in lines {
            let numbers = line.split(separator: " ").compactMap { UInt64($0) }
            let totals = estimate(of: numbers.dropFirst(2), mean: 64 << 10)
            let bytes = try #require(totals.interval(.bytes))
            let count = try #require(totals.interval(.allocations))
            inside.bytes += bytes.contains(numbers[0]) ? 1 : 0
            inside.count += count.contains(numbers[1]) ? 1 : 0
            mean.bytes += Double(totals.bytes) / 1000
            mean.count += Double(totals.allocations) / 1000
            truth = (Double(numbers[0]), Double(numbers[1]))
        }
        // 950 ± 7.
        #expect((930...970).contains(inside.bytes), "\(inside)")
        #expect((930...970).contains(inside.count), "\(inside)")
        // No bias: the mean of 1,000 estimates.
        #expect(abs(mean.bytes / truth.bytes - 1) < 0.005)
        #expect(abs(mean.count / truth.count - 1) < 0.02)
    }

    private static let tracer = Result { try RecorderRun.compile("MemoryProbes.c") }
    private static let instruments = ["allocations", "allocations,leaks"]

    /// With a mean of 2 bytes a block of 1,000 bytes is left out with a probability of e^−500.
    @Test("the whole malloc family, threads, forks and late destructors are sampled", arguments: instruments)
    func wholeFamily(instruments: String) throws {
        func trace(_ argument: String, status: Int32 = 0) throws -> RecorderTrace {
            let variables = ["GAMEPROF_SAMPLE": "2", "GAMEPROF_INSTRUMENTS": instruments]
            let run = try RecorderRun([argument], variables: variables)
            #expect(run.ending == (try RecorderRun([argument], recorded: false)).ending)
            #expect(run.ending.status == status)
            return try run.read()
        }
        let threads = try trace("threads")
        #expect(threads.allocations[1001] == 4000 && threads.frees[1001] == nil)
        #expect(threads.allocations[1002] == 2000 && threads.frees[1002] == 2000)
        let moved = try trace("realloc")
        for size in [1012, 1013, 200000, 1015, 1016] {
            #expect(moved.allocations[size] == 1 && moved.frees[size] == 1, "\(size)")
        }
        let aligned = try trace("aligned")
        #expect(aligned.allocations[1017] == 5 && aligned.allocations[4096] == 1)
        #expect(try trace("teardown").allocations[1005] == 400)
        #expect(try trace("fork", status: 3).allocations[1007] == 20)
        let closed = try trace("close")
        #expect(closed.allocations[1008] == 20000 && closed.frees[1009] == 20000)
        #expect(closed.isFinished && closed.dropped == 0)
    }

    @Test("of many equal blocks as many are sampled as chance says, and each is freed", arguments: instruments)
    func share(instruments: String) throws {
        let variables = ["GAMEPROF_SAMPLE": "10020", "GAMEPROF_INSTRUMENTS": instruments]
        let trace = try RecorderRun(["threads"], variables: variables).read()
        // 2,000 · (1 − e^−0.1) = 190 ± 13.
        let count = trace.allocations[1002] ?? 0
        #expect((110...270).contains(count))
        #expect(trace.frees[1002] == count)
    }

    @Test(
        "a tracer that counts the semaphores up sees each sampled block with what it stands for, before that none",
        arguments: instruments)
    func memoryProbes(instruments: String) throws {
        let run = try RecorderRun(
            [], of: Self.tracer,
            variables: ["GAMEPROF_SAMPLE": "16k", "GAMEPROF_INSTRUMENTS": instruments])
        #expect(run.ending.errors == "" && run.ending.status == 0)
        let seen = run.ending.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        try #require(seen.count == 5)
        // 1,000 · (1 − e^−¼) = 221 ± 13, of which each stands for 4,096 / 0.2212 bytes.
        #expect((140...300).contains(seen[0]))
        #expect(seen[1] == seen[0])
        #expect(seen[2] == seen[0] * 18517)
        #expect(seen[3] == 1 && seen[4] == 1)
    }

    @Test("uprobes of the kernel count the semaphores up and hit each sampled block")
    func uprobes() throws {
        let run = try RecorderRun(
            ["kernel"], of: Self.tracer, variables: ["GAMEPROF_SAMPLE": "16k"])
        #expect(run.ending.errors == "" && run.ending.status == 0)
        if run.ending.output == "not permitted\n" { return }
        let seen = run.ending.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        try #require(seen.count == 4)
        #expect((140...300).contains(seen[0]))
        // Between the two openings the program frees a file's buffer.
        #expect((seen[0] - 2...seen[0]).contains(seen[1]))
        #expect(seen[2] == 1 && seen[3] == 1)
    }

    @Test("readelf shows the memory probes with their arguments")
    func notes() throws {
        let library = try #require(RecorderLibrary.url)
        let folder = FileManager.default.temporaryDirectory.appending(path: "gameprof-notes-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // As it is in the tool and in packages.
        let stripped = folder.appending(path: "library.so").path
        #expect(try HeapProgram.text(of: ["strip", "-o", stripped, library.path]) == "")
        let text = try HeapProgram.text(of: ["readelf", "-n", stripped])
        let probes = text.components(separatedBy: "Provider: otel_memory").dropFirst()
        #expect(probes.count == 2)
        for (name, arguments) in [("alloc", 3), ("free", 1)] {
            let probe = try #require(probes.first { $0.contains("Name: \(name)\n") })
            let line = try #require(probe.split(separator: "\n").first { $0.contains("Arguments:") })
            #expect(line.matches(of: /8@%r/).count == arguments)
            #expect(!probe.contains("Semaphore: 0x0000000000000000"))
        }
    }

    /// As of a trace that has these samples (`SampledCounterTests`), without writing and reading 300,000 records.
    private func estimate(of sizes: some Sequence<UInt64>, mean: UInt64) -> AllocationCounts {
        var counter = SampledCounter(mean: mean, live: [])
        for size in sizes { _ = counter.made(0, size) }
        return counter.totalCounts(peak: 0)
    }
}
