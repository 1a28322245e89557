import Foundation
import Testing

@testable import GameprofAnalysis

/// Who holds the lock for which a thread waits.
@Suite(.serialized) struct LockHolderTests {
    private func program(_ build: SwiftProgram.Build) throws -> URL {
        try SwiftProgram.compile(script: "LockHolder.swift", module: "LockHolder", build: build)
    }

    private func check(_ run: TimeRun, _ waiter: String) throws {
        #expect(run.status == 0, "\(run.error)")
        let row = try #require(
            run.hotspots.offCPU?.first { $0.function.hasPrefix(waiter) }, "\(run.hotspots.offCPU ?? [])")
        let waited = try #require(row.waitsFor?["lock"])
        let holder = try #require(row.heldBy?.first, "\(row)")
        #expect(holder.function == "search()" && holder.seconds > 0.8 * waited, "\(row)")
        #expect(holder.thread != "main")
    }

    @Test(arguments: SwiftProgram.Build.usual, ["lock", "mutex"])
    func `of a recorded program the function is named that held the lock`(
        build: SwiftProgram.Build, kind: String
    ) throws {
        let run = try TimeRun(try program(build), [kind], options: ["--wall"])
        try check(run, kind == "lock" ? "collectUnderLock" : "collectUnderMutex")
    }

    @Test func `of a running process the function is named that held the lock`() throws {
        let observed = try WaitingProgram(try program(.optimised), ["waits", "lock"])
        try check(try TimeRun(process: observed.pid, options: ["--wall", "--for", "2s"]), "collectUnderLock")
    }
}
