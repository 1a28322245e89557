import Foundation
import Testing

/// Swift and C++ in one program, each with objects of the other's.
@Suite struct InteroperabilityTests {
    private let folder: TemporaryFolder
    private let program: URL

    init() throws {
        folder = try TemporaryFolder()
        program = folder.url.appending(path: "ZooKeeper")
        let programs = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Programs")
        let object = folder.url.appending(path: "Zoo.o").path
        func path(_ name: String) -> String { programs.appending(path: name).path }
        for command in [
            ["clang++", "-std=c++17", "-O1", "-g", "-c", path("Zoo.cpp"), "-o", object],
            [
                "swiftc", "-O", "-g", "-cxx-interoperability-mode=default", "-import-objc-header", path("Zoo.h"),
                path("ZooKeeper.swift"), object, "-lstdc++", "-o", program.path,
            ],
        ] {
            let result = try Command.run(URL(filePath: "/usr/bin/env"), command)
            guard result.status == 0 else { throw SwiftProgram.CompilationFailed(description: result.error) }
        }
    }

    @Test func `uses of dead objects are told in either language, and healthy programs run as ever`() throws {
        let uses = [
            ("deleted-animal", "property read", "callsDeletedAnimal()"),
            ("deleted-string", "property read", "readsDeletedString()"),
            ("deleted-twice", "free", "deletesTwice()"),
            ("dead-keeper", "retain", "feedOnAnotherThread()"),
        ]
        for (use, operation, function) in uses {
            let finding = try #require(try ZombieRun.record(program, [use]).findings.first, "\(use)")
            #expect(finding.access?.operation == operation, "\(use)")
            let frames = finding.usedBy?.frames.map(\.function) ?? []
            #expect(frames.contains { $0.hasSuffix(function) }, "\(use) \(frames)")
        }
        let alone = try Command.run(program, [])
        #expect(alone.output.hasSuffix("rounds 1\n"))
        for options in [[], ["--guard=all"], ["--guard=1/3"], ["--continue"]] {
            let run = try ZombieRun.record(program, [], options: options)
            #expect(run.output == alone.output)
            #expect(run.findings.isEmpty)
            #expect(run.status == 0)
        }
    }
}
