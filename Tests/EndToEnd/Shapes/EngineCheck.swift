import Foundation
import GameprofReportModel
import Testing

/// Compares what the recorder says of a program's heap as it ends with what the tool says of the same frozen clone.
enum EngineCheck {
    /// A finding, without what only a recording has.
    struct Row: Hashable, CustomStringConvertible {
        var kind: Finding.Kind
        var severity: Finding.Severity
        var type: String
        var count: Int
        var bytes: UInt64
        var references: Set<String>
        var cannotBeWeak: Bool

        init(_ finding: Finding) {
            (kind, severity, type) = (finding.kind, finding.severity, finding.type)
            (count, bytes) = (finding.count, finding.bytes)
            references = Set(finding.references.map { "\($0.from).\($0.path) → \($0.to)" })
            cannotBeWeak = finding.fix?.contains("cannot be weak") == true
        }

        var description: String {
            "\(severity) \(kind.rawValue) \(count)× \(type), \(bytes) B \(references.sorted()), \(cannotBeWeak)"
        }
    }

    static func run(_ shape: ShapeCase, in build: SwiftProgram.Build) throws {
        let files = ["Common.swift", "\(shape.program.rawValue).swift"]
        let program = try SwiftProgram.compile(files: files, module: shape.program.rawValue, build: build)
        let folder = try TemporaryFolder()
        let file = { (name: String) in folder.url.appending(path: name).path }
        let environment = ["GAMEPROF_HANDED": file("handed")]
        let recording = Process()
        recording.executableURL = Products.gameprof
        recording.arguments = ["leaks", "--quiet", "--json", file("inside"), "--", program.path, shape.argument]
        recording.environment = Command.environment(ProcessInfo.processInfo.environment, adding: environment)
        recording.standardInput = FileHandle.nullDevice
        recording.standardOutput = FileHandle.nullDevice
        recording.standardError = FileHandle.nullDevice
        try recording.run()
        while recording.isRunning, !FileManager.default.fileExists(atPath: file("handed")) { usleep(2_000) }
        let look = try Command.run(
            Products.gameprof,
            ["leaks", "--pid", "\(recording.processIdentifier)", "--quiet", "--json", file("outside")],
            environment: environment)
        try? FileManager.default.removeItem(atPath: file("handed"))
        recording.waitUntilExit()
        try #require(FileManager.default.fileExists(atPath: file("outside")), "\(look.error)")
        let (inside, outside) = try (rows(file("inside")), rows(file("outside")))
        #expect(inside.subtracting(outside) == [], "only inside")
        #expect(outside.subtracting(inside) == [], "only outside")
    }

    private static func rows(_ path: String) throws -> Set<Row> {
        Set(try Report(json: URL(filePath: path)).findings.map(Row.init))
    }
}
