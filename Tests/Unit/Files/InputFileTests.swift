import Foundation
import Testing

@testable import GameprofBasics

/// Files whose names come from others, and those that the user names.
@Suite("Input files") struct InputFileTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "input-\(UUID().uuidString)").path

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false) }

    private func path(_ name: String) -> String { "\(folder)/\(name)" }

    private func done() { try? FileManager.default.removeItem(atPath: folder) }

    private func reason(_ path: String) -> String? {
        do throws(RegularFile.Refusal) {
            _ = try RegularFile.read(path)
            return nil
        } catch { return error.reason }
    }

    @Test("what others name is read if it is a regular file, and not waited for otherwise")
    func named() throws {
        defer { done() }
        try Data("text".utf8).write(to: URL(filePath: path("file")))
        try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: "fifo")
        mkfifo(path("fifo"), 0o600)
        #expect(try RegularFile.read(path("file")) == Data("text".utf8))
        #expect(try RegularFile.mapped(path("file")) == Data("text".utf8))
        #expect(RegularFile.prefix(path("file"), count: 2) == Data("te".utf8))
        #expect(
            RegularFile.contents(path("file"), limit: 4) != nil && RegularFile.contents(path("file"), limit: 3) == nil)
        for name in [path("fifo"), path("link"), "/dev/null", "/dev/zero"] {
            #expect(reason(name) == "it is not a regular file", "\(name)")
        }
        #expect(reason(folder) == "it is a folder" && reason(path("absent")) == "no such file or directory")
    }

    @Test("a pipe that the user names is read to its end, once")
    func pipe() throws {
        defer { done() }
        mkfifo(path("fifo"), 0o600)
        let writer = Thread { [fifo = path("fifo")] in
            try? Data("suppressions: []".utf8).write(to: URL(filePath: fifo))
        }
        writer.start()
        for _ in 0..<2 { #expect(InputFile.contents(path("fifo")) == Data("suppressions: []".utf8)) }
        let pipe = Pipe()
        try pipe.fileHandleForWriting.close()
        #expect(InputFile.contents("/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)") == Data())
        #expect(InputFile.contents(folder) == nil && InputFile.contents(path("absent")) == nil)
    }
}
