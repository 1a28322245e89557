import Foundation
import RecorderLibrary
import Testing

/// The tool away from its build: in the tree that `make install` makes, moved, and alone.
@Suite struct InstalledTreeTests {
    private static let scripts = Products.package.appending(path: "Scripts")
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Nothing of this process's environment, and no toolchain on the search path.
    private func run(_ tool: URL, _ arguments: [String], _ environment: [String] = []) throws -> CommandResult {
        try Command.run(
            URL(filePath: "/usr/bin/env"), ["-i", "PATH=/nonexistent"] + environment + [tool.path] + arguments,
            directory: folder.url)
    }

    private func copy(_ file: URL, to path: String) throws -> URL {
        let target = folder.url.appending(path: path)
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: file, to: target)
        return target
    }

    private func makeTree() throws -> URL {
        let library = try #require(RecorderLibrary.url)
        _ = try copy(library, to: "tree/lib/gameprof/libGameRecorder.so")
        return try copy(Products.gameprof.resolvingSymlinksInPath(), to: "tree/bin/gameprof")
    }

    @Test("a tree that was moved records without environment and toolchain, with its own recorder")
    func relocation() throws {
        _ = try makeTree()
        let moved = folder.url.appending(path: "moved")
        try FileManager.default.moveItem(at: folder.url.appending(path: "tree"), to: moved)
        let tool = moved.appending(path: "bin/gameprof")
        let doctor = try run(tool, ["doctor"])
        #expect(doctor.status == 0, "\(doctor.output)\(doctor.error)")
        #expect(doctor.output.contains("\(moved.path)/lib/gameprof/libGameRecorder.so\n"))
        #expect(doctor.output.contains("symbolizer    not found"), "\(doctor.output)")
        let record = try run(tool, ["allocations", "--html", "page.html", "--", "/bin/ls", "/"])
        #expect(record.status == 0, "\(record.error)")
        #expect(record.output.contains("usr\n"))
        let page = try String(contentsOf: folder.url.appending(path: "page.html"), encoding: .utf8)
        #expect(page.contains("<style") && page.contains("</html>"))
    }

    @Test(
        "a symbolizer in the tree is used where no toolchain is on the search path, and the doctor says if it cannot run"
    )
    func symbolizer() throws {
        let tool = try makeTree()
        let brought = folder.url.appending(path: "tree/lib/gameprof/llvm-symbolizer")
        for (program, words) in [("true", ""), ("false", " cannot be run here")] {
            try? FileManager.default.removeItem(at: brought)
            try FileManager.default.copyItem(at: URL(filePath: "/bin/\(program)"), to: brought)
            #expect(try run(tool, ["doctor"]).output.contains("symbolizer    \(brought.path)\(words)"))
        }
    }

    @Test("the tool alone says that its recorder is missing")
    func toolAlone() throws {
        let tool = try copy(Products.gameprof.resolvingSymlinksInPath(), to: "alone/gameprof")
        let result = try run(tool, ["leaks", "--", "/bin/true"])
        #expect(result.status == 4)
        #expect(result.error.contains("libGameRecorder.so is missing beside gameprof"))
    }

    @Test("the recorder is loaded by glibc 2.26 and later, and the check of that can fail")
    func glibcBound() throws {
        let library = try #require(RecorderLibrary.url).path
        let check = Self.scripts.appending(path: "check-glibc")
        let result = try Command.run(check, ["2.26", library])
        #expect(result.status == 0, "\(result.error)")
        let older = try Command.run(check, ["2.4", library])
        #expect(older.status == 1)
        #expect(older.error.contains("later than 2.4"))
    }

    @Test("make install puts a tree below DESTDIR and PREFIX, and refuses a relative PREFIX")
    func install() throws {
        _ = try makeTree()
        let install = Self.scripts.appending(path: "install")
        let tree = folder.url.appending(path: "tree").path
        let stage = folder.url.appending(path: "stage").path
        let result = try Command.run(
            install, environment: ["GAMEPROF_TREE": tree, "DESTDIR": stage, "PREFIX": "/opt/gameprof"])
        #expect(result.status == 0, "\(result.error)")
        let tool = URL(filePath: "\(stage)/opt/gameprof/bin/gameprof")
        #expect(try run(tool, ["doctor"]).output.contains("\(stage)/opt/gameprof/lib/gameprof/libGameRecorder.so"))
        let relative = try Command.run(install, environment: ["GAMEPROF_TREE": tree, "PREFIX": "here"])
        #expect(relative.status == 2)
        #expect(relative.error.contains("not an absolute path"))
    }

    @Test("completions name the commands", arguments: ["bash", "zsh", "fish"])
    func completions(shell: String) throws {
        let script = try Command.run(Products.gameprof, ["--generate-completion-script", shell])
        #expect(script.status == 0)
        #expect(script.output.contains("zombies") && script.output.contains("snapshot-at"))
    }
}
