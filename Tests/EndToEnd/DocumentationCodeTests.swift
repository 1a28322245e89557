import Foundation
import GameprofTestSupport
import Testing

/// Swift code and printed reports of the documentation: the code compiles, and the tool prints what stands there.
@Suite struct DocumentationCodeTests {
    /// What the examples speak of without declaring it.
    private static let game = """
        public final class Card { public init() {} }
        public final class Board {
            public var cards: [Card] = []
            public init(cards: Int) {}
        }
        public final class Puzzle {
            public enum Direction { case up }
            public func tilt(to direction: Direction) {}
        }
        public final class Store { public func load() async {} }
        public let (board, puzzle, store) = (Board(cards: 36), Puzzle(), Store())
        public func play(undo: Bool) throws {}
        public func playOneGame() {}
        """

    private static let compiled = Once<String, TypeChecker>()

    @Test("each Swift example compiles", arguments: DocumentationPages.blocks("swift"))
    func swiftCode(_ block: DocumentationPages.Part) throws {
        let checker = try Self.compiled.value(for: "") { try TypeChecker(game: Self.game) }
        #expect(try checker.errors(in: block.text) == "", "\(block.path)")
    }

    @Test("the README shows what the tool prints") func printed() throws {
        let samples = DocumentationPages.blocks().filter { $0.text.hasPrefix("gameprof leaks · gamelab ") }
        #expect(samples.count == 1)
        for sample in samples {
            let folder = try TemporaryFolder()
            var lines = sample.text.split(separator: "\n").map(String.init)
            let words = lines.removeFirst().components(separatedBy: " · ")[1].split(separator: " ").map(String.init)
            let text = try Command.run(
                Products.gameprof,
                ["leaks", "--no-color", "--html", folder.url.appending(path: "r.html").path, "--"]
                    + [Products.GameLabBuild.fastest.executable.path] + words.dropFirst()
            ).error
            expect(lines, in: text)
        }
    }

    @Test("the page on the living heap shows what the tool prints for its programs") func samples() throws {
        let folder = try TemporaryFolder()
        let page = URL(filePath: "Documentation/LivingHeap.md", relativeTo: Products.package)
        for program in ["Gallery", "Desk"] {
            let source = Products.package.appending(path: "Documentation/Samples/\(program).swift")
            let result = try Command.run(
                URL(filePath: "/usr/bin/env"), ["swiftc", "-O", "-g", source.path, "-o", program], directory: folder.url
            )
            #expect(result.status == 0, "\(result.error)")
        }
        func run(_ words: [String]) throws -> String {
            let result = try Command.run(
                Products.gameprof, words, environment: ["NO_COLOR": "1"], directory: folder.url)
            return result.output + result.error
        }
        _ = try run(["heap", "--output", "before.gptrace", "--", "./Gallery", "10"])
        var count = 0
        for block in DocumentationPages.blocks() where block.path == page.relativePath {
            var lines = block.text.split(separator: "\n").map(String.init)
            let words = lines.removeFirst().split(separator: " ").map(String.init)
            guard words.starts(with: ["$", "gameprof"]), block.text.contains(/\.gptrace|\.\/(Gallery|Desk)/),
                !words.contains("--pid")
            else { continue }
            expect(lines, in: try run(Array(words.dropFirst(2))))
            count += 1
        }
        #expect(count == 5)
    }

    /// In this order, with others between them. Times, and bars that depend on them, differ in each run.
    private func expect(_ lines: [String], in text: String) {
        func steady(_ line: some StringProtocol) -> String {
            String(line).replacing(/[0-9][0-9.,]* (µs|ms|s)\b/, with: "… s").replacing(/[▁-█]+/, with: "▁")
        }
        var rest = text.split(separator: "\n").map(steady)[...]
        for line in lines where line.trimmingCharacters(in: .whitespaces) != "…" {
            let place = rest.firstIndex(of: steady(line))
            #expect(place != nil, "\(line)\nis not in\n\(text)")
            rest = rest.dropFirst((place ?? rest.startIndex) - rest.startIndex + 1)
        }
    }
}

/// Checks code against the modules of this build, without a package that depends on them.
private struct TypeChecker: Sendable {
    private static let modules = ["GameInstrumentation", "GameProfiler", "InstrumentationTesting", "Testing"]

    private let folder: TemporaryFolder
    private let toolchain: URL
    private let flags: [String]

    /// - Parameter game: source of a module that the code may use.
    init(game: String) throws {
        folder = try TemporaryFolder()
        let path = try Command.run(URL(filePath: "/usr/bin/env"), ["which", "swiftc"]).output
        toolchain = URL(filePath: path.trimmingCharacters(in: .newlines)).resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent()
        let sources = Products.package.appending(path: "Sources")
        var maps = Self.files(below: sources) + Self.files(below: Products.folder)
        // The test library is no part of a test bundle, which it would record: its headers may have no map.
        if !maps.contains(where: { $0.contains("/CTestRecording.build/") }) {
            let map = folder.url.appending(path: "module.modulemap")
            let headers = sources.appending(path: "Instrumentation/TestRecording/include").path
            let text = "module CTestRecording { umbrella \"\(headers)\" export * }"
            try text.write(to: map, atomically: true, encoding: .utf8)
            maps.append(map.path)
        }
        flags =
            ["-I", Products.folder.appending(path: "Modules").path, "-I", folder.url.path]
            + ["-plugin-path", toolchain.appending(path: "lib/swift/host/plugins").path]
            + Self.files(below: sources, "include").flatMap { ["-Xcc", "-I\($0)"] }
            + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
        try emit("Game", [write("Game.swift", game)])
        let tests = sources.appending(path: "Instrumentation/Testing").path
        let package = Products.package.lastPathComponent.lowercased()
        try emit(
            "InstrumentationTesting",
            FileManager.default.contentsOfDirectory(atPath: tests).filter { $0.hasSuffix(".swift") }.map {
                "\(tests)/\($0)"
            },
            ["-package-name", package])
    }

    /// What the compiler finds wrong; empty: nothing.
    func errors(in code: String) throws -> String {
        let isManifest = code.contains("arget(")
        let head =
            isManifest
            ? "import PackageDescription\n" + (code.contains("let package") ? "" : "let target: Target = ")
            : (["Game"] + Self.modules).map { "import \($0)\n" }.joined()
        let manifest = toolchain.appending(path: "lib/swift/pm/ManifestAPI").path
        let file = try write("main.swift", head + code.replacing("{ … }", with: "{ fatalError() }"))
        let result = try run(
            ["-typecheck"] + flags
                + (isManifest ? ["-package-description-version", "6.1", "-I", manifest] : []) + [file])
        return result.status == 0 ? "" : result.error
    }

    private func emit(_ module: String, _ sources: [String], _ options: [String] = []) throws {
        let to = folder.url.appending(path: "\(module).swiftmodule").path
        let result = try run(
            ["-emit-module", "-parse-as-library", "-module-name", module, "-o", to] + options + flags + sources)
        guard result.status == 0 else { throw SwiftProgram.CompilationFailed(description: result.error) }
    }

    private func run(_ arguments: [String]) throws -> CommandResult {
        try Command.run(toolchain.appending(path: "bin/swiftc"), arguments)
    }

    private func write(_ name: String, _ text: String) throws -> String {
        let own = folder.url.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        try text.write(to: own.appending(path: name), atomically: true, encoding: .utf8)
        return own.appending(path: name).path
    }

    /// The files or folders of that name.
    private static func files(below folder: URL, _ name: String = "module.modulemap") -> [String] {
        let all = FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String] ?? []
        return all.filter { ($0 as NSString).lastPathComponent == name && !$0.contains("-tool.build") }
            .map { folder.appending(path: $0).path }
    }
}
