import Foundation
import Testing

@testable import GameprofBasics

/// Where results are written although others can put links and files there.
@Suite("Places of output") struct OutputPlaceTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "place-\(UUID().uuidString)").path
    private static let isRoot = geteuid() == 0
    private static let nobody: uid_t = 65534

    init() throws { try make("") }

    private func path(_ name: String) -> String { "\(folder)/\(name)" }

    private func make(_ name: String, mode: mode_t = 0o755, owner: uid_t? = nil) throws {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: false)
        chmod(path(name), mode)
        if let owner { chown(path(name), owner, owner) }
    }

    private func link(_ name: String, to target: String, owner: uid_t? = nil) throws {
        try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
        if let owner { lchown(path(name), owner, owner) }
    }

    private func write(_ text: String, _ name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path(name)))
    }

    private func content(_ name: String) -> String? {
        FileManager.default.contents(atPath: path(name)).map { String(decoding: $0, as: UTF8.self) }
    }

    private func refusal(_ name: String) -> String? {
        do throws(OutputPlace.Refusal) {
            try OutputPlace.write(Array("new".utf8), to: path(name))
            return nil
        } catch { return error.reason }
    }

    private func done() { try? FileManager.default.removeItem(atPath: folder) }

    @Test(
        "another user's link in a folder that everybody can write is not followed", .enabled(if: isRoot),
        arguments: [mode_t(0o1777), 0o777])
    func planted(mode: mode_t) throws {
        defer { done() }
        try write("precious", "victim")
        try make("shared", mode: mode)
        try link("shared/file", to: path("victim"), owner: Self.nobody)
        try link("shared/dangling", to: path("absent"), owner: Self.nobody)
        try link("shared/folder", to: folder, owner: Self.nobody)
        // A link of one's own leads to the planted one.
        try link("way", to: "shared/file")
        for name in ["shared/file", "shared/dangling", "shared/folder/victim", "shared/../shared/folder/new", "way"] {
            #expect(refusal(name)?.hasSuffix("is another user's link") == true, "\(name)")
        }
        #expect(content("victim") == "precious" && content("absent") == nil && content("new") == nil)
    }

    @Test("another user's link leads to that user's folders alone", .enabled(if: isRoot))
    func foreign() throws {
        defer { done() }
        try write("precious", "victim")
        try make("theirs", owner: Self.nobody)
        try make("theirs/inner", owner: Self.nobody)
        try link("theirs/out", to: path("victim"), owner: Self.nobody)
        try link("theirs/in", to: "inner/result", owner: Self.nobody)
        #expect(refusal("theirs/out") == "another user's link leads there")
        #expect(content("victim") == "precious")
        #expect(refusal("theirs/in") == nil && content("theirs/inner/result") == "new")
    }

    @Test(
        "what another user put into a folder that everybody can write is replaced, or not opened", .enabled(if: isRoot))
    func plantedFiles() throws {
        defer { done() }
        try make("shared", mode: 0o1777)
        try write("old", "shared/file")
        chmod(path("shared/file"), 0o666)
        chown(path("shared/file"), Self.nobody, Self.nobody)
        #expect(refusal("shared/file") == nil && content("shared/file") == "new")
        var status = stat()
        #expect(stat(path("shared/file"), &status) == 0 && status.st_mode & 0o777 == 0o600 && status.st_uid == 0)
        mkfifo(path("shared/fifo"), 0o666)
        chown(path("shared/fifo"), Self.nobody, Self.nobody)
        #expect(refusal("shared/fifo") == "it is another user's and no regular file")
    }

    @Test("a link of one's own stays one, its file keeps its mode, and a hard link keeps its text")
    func own() throws {
        defer { done() }
        try write("old", "file")
        chmod(path("file"), 0o640)
        #expect(Foundation.link(path("file"), path("other")) == 0)
        try make("inner")
        try link("inner/link", to: "../file")
        try link("dangling", to: "inner/made")
        #expect(refusal("inner/link") == nil && refusal("dangling") == nil)
        #expect(content("file") == "new" && content("other") == "old" && content("inner/made") == "new")
        var status = stat()
        #expect(lstat(path("inner/link"), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        #expect(stat(path("file"), &status) == 0 && status.st_mode & 0o777 == 0o640)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == [
                "dangling", "file", "inner", "other",
            ])
    }

    @Test("a pipe, also one of this process by its number, is written directly")
    func pipes() throws {
        defer { done() }
        let pipe = Pipe()
        let number = pipe.fileHandleForWriting.fileDescriptor
        for name in ["/dev/fd/\(number)", "/proc/self/fd/\(number)"] {
            try OutputPlace.write(Array("new".utf8), to: name)
            #expect(try pipe.fileHandleForReading.read(upToCount: 3) == Data("new".utf8))
        }
        mkfifo(path("fifo"), 0o600)
        let reader = open(path("fifo"), O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        #expect(refusal("fifo") == nil)
        var bytes = [UInt8](repeating: 0, count: 8)
        #expect(read(reader, &bytes, 8) == 3)
    }

    @Test("a folder, a missing folder, a circle of links and a number that is no descriptor are refused")
    func refused() throws {
        defer { done() }
        try link("a", to: "b")
        try link("b", to: "a")
        #expect(
            refusal("") == "it is a folder" && refusal(".") == "it is a folder" && refusal("..") == "it is a folder")
        #expect(refusal("absent/file") == "the folder \(folder)/absent does not exist")
        #expect(refusal("absent/") == "the folder \(folder)/absent does not exist")
        #expect(refusal("a") == "too many levels of symbolic links")
        #expect(throws: OutputPlace.Refusal.self) { try OutputPlace.write([], to: "/dev/fd/9999") }
        try OutputPlace.write([], to: path("made/on/the/way"), createsFolder: true)
        #expect(content("made/on/the/way") == "")
    }
}
