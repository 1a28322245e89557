import Foundation
import Testing

/// `gameprof top` on a process that nobody has prepared.
@Suite(.serialized) struct TopTests {
    private func watched(_ build: SwiftProgram.Build) throws -> WaitingProgram {
        try WaitingProgram(try SwiftProgram.compile(files: ["Watched.swift"], module: "Watched", build: build))
    }

    @Test(arguments: SwiftProgram.Build.usual)
    func `lines for a pipe name the hot function, the growing type and the tasks`(build: SwiftProgram.Build) throws {
        let program = try watched(build)
        let run = try Command.run(Products.gameprof, ["top", program.pid, "--for", "15s"])
        #expect(try program.finish() == "done\n")
        #expect(run.status == 0, "\(run.error)")
        #expect(!run.output.contains("\u{1b}"))
        let moments = run.output.components(separatedBy: "\n\n").filter { $0.hasPrefix("Watched (\(program.pid))") }
        #expect(moments.count >= 3)
        let last = try #require(moments.last)
        let mix = try #require(last.split(separator: "\n").first { $0.contains("mix(_:)") }, "\(last)")
        let share = try #require(mix.split(separator: " ").first.flatMap { Double($0) })
        #expect(share > 5 && share < 130, "\(mix)")
        let order = try #require(last.split(separator: "\n").first { $0.hasSuffix(" Order") }, "\(last)")
        #expect(order.contains("+"), "\(order)")
        #expect(last.contains("12 × waiting for a continuation held by Desk.waiting"), "\(last)")
    }

    @Test(.enabled(if: Tmux.isInstalled), arguments: [(80, 24), (200, 50)])
    func `keys choose a table, and show what holds a type`(width: Int, height: Int) throws {
        let program = try watched(.onone)
        let tmux = try Tmux(width: width, height: height)
        try tmux.type("clear; \(Products.gameprof.path) top \(program.pid)")
        try tmux.wait { $0.contains("mix(_:)") && $0.contains("q quit") && $0.contains("× waiting for") }
        try tmux.send("3")
        try tmux.wait { $0.contains("type, by bytes") && !$0.contains("mix(_:)") && $0.contains("▸") }
        try tmux.send("/")
        for key in ["L", "e", "d", "g", "e", "r", "Enter"] { try tmux.send(key) }
        try tmux.wait { $0.contains("Ledger") && !$0.contains(" Desk") }
        try tmux.send("Enter")
        try tmux.wait { $0.contains("What holds Ledger:") && $0.contains("ledger  strong →  Ledger") }
        try tmux.send("q")
        try tmux.wait { !$0.contains("What holds") }
        #expect(try program.finish() == "done\n")
    }

    @Test func `a process that ends meanwhile is said to have ended`() throws {
        let program = try watched(.onone)
        let pid = program.process.processIdentifier
        DispatchQueue.global().asyncAfter(deadline: .now() + 3) { kill(pid, SIGKILL) }
        let run = try Command.run(Products.gameprof, ["top", program.pid])
        #expect(run.status == 0 && run.output.hasSuffix("The process has ended.\n"), "\(run.error)")
    }

    @Test func `what is no process is a usage error`() throws {
        #expect(try Command.run(Products.gameprof, ["top", "999999999"]).status == 2)
        #expect(try Command.run(Products.gameprof, ["top", "0"]).status == 2)
        #expect(try Command.run(Products.gameprof, ["top"]).status == 2)
        #expect(try Command.run(Products.gameprof, ["top", "1", "--for", "soon"]).status == 2)
    }
}
