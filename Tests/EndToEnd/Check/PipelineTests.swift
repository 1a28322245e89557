import Foundation
import Testing
import Yams

/// The action for GitHub and the template for GitLab, as far as they run without these services.
@Suite struct PipelineTests {
    private static func read(_ path: String) throws -> [String: Any] {
        let text = try String(contentsOf: Products.package.appending(path: path), encoding: .utf8)
        // GitLab's own tag; the rest of the file is plain YAML.
        return try #require(try Yams.load(yaml: text.replacing("!reference ", with: "")) as? [String: Any])
    }

    private static func steps() throws -> [[String: Any]] {
        let runs = try #require(try read("action.yml")["runs"] as? [String: Any])
        #expect(runs["using"] as? String == "composite")
        return try #require(runs["steps"] as? [[String: Any]])
    }

    @Test("the pipelines are YAML, and each step of the action that runs something names its shell")
    func syntax() throws {
        for file in ["Documentation/CI/github-actions.yml", "Documentation/CI/gitlab-ci.yml", ".ci/gitlab.yml"] {
            #expect(!(try Self.read(file).isEmpty))
        }
        for step in try Self.steps() where step["run"] != nil { #expect(step["shell"] as? String == "bash") }
        let action = try Self.read("action.yml")
        let template = try #require(try Self.read(".ci/gitlab.yml")[".gameprof"] as? [String: Any])
        let version = try Command.run(Products.gameprof, ["--version"]).output.trimmingCharacters(in: .newlines)
        let input = (action["inputs"] as? [String: Any])?["version"] as? [String: Any]
        #expect(input?["default"] as? String == version)
        #expect((template["variables"] as? [String: String])?["GAMEPROF_VERSION"] == version)
    }

    @Test("the shell accepts every script of the pipelines")
    func shellSyntax() throws {
        let template = try #require(try Self.read(".ci/gitlab.yml")[".gameprof"] as? [String: Any])
        var scripts = try Self.steps().compactMap { $0["run"] as? String }
        scripts += ["before_script", "script"].flatMap { template[$0] as? [String] ?? [] }
        #expect(scripts.count == 7)
        for script in scripts {
            #expect(try Command.run(URL(filePath: "/bin/bash"), ["-n", "-c", script]).status == 0, "\(script)")
        }
    }

    /// The program prints what would be a command to the runner.
    @Test("the action keeps what the program prints apart from its annotations, and ends as the check did")
    func annotations() throws {
        let program = try SwiftProgram.compile(
            """
            final class Node { var next: Node? }
            @inline(never) func lose() { let node = Node(); node.next = node }
            @main enum Lost {
                static func main() {
                    lose()
                    print("::error::this is the program's")
                }
            }
            """, module: "Lost", build: .onone)
        let folder = try TemporaryFolder()
        let tool = folder.url.appending(path: "tool/usr/bin")
        try FileManager.default.createDirectory(at: tool, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: tool.appending(path: "gameprof"), withDestinationURL: Products.gameprof)
        let check = try #require(try Self.steps().first { $0["id"] as? String == "check" })
        let result = try Command.run(
            URL(filePath: "/bin/bash"), ["-c", try #require(check["run"] as? String)],
            environment: [
                "COMMAND": "check", "ARGUMENTS": "-- \(program.path)", "RESULTS": "results",
                "FOLDER": tool.deletingLastPathComponent().deletingLastPathComponent().path,
                "GITHUB_STEP_SUMMARY": folder.url.appending(path: "summary").path,
            ], directory: folder.url)
        #expect(result.status == 1, "\(result.output)\(result.error)")
        let lines = result.output.split(separator: "\n").map(String.init)
        let stop = try #require(lines.firstIndex { $0.hasPrefix("::stop-commands::") })
        let token = lines[stop].dropFirst("::stop-commands::".count)
        let resume = try #require(lines.firstIndex(of: "::\(token)::"))
        let foreign = try #require(lines.firstIndex(of: "::error::this is the program's"))
        #expect(stop < foreign && foreign < resume)
        let own = lines[resume...].dropFirst()
        #expect(!own.isEmpty && own.allSatisfy { $0.hasPrefix("::") }, "\(result.output)")
        #expect(own.contains { $0.contains("Node.next") || $0.contains("Node") })
        for file in ["results.xml", "results.sarif", "summary.md"] {
            #expect(FileManager.default.fileExists(atPath: folder.url.appending(path: "results/\(file)").path))
        }
        #expect(try !Data(contentsOf: folder.url.appending(path: "summary")).isEmpty)
    }
}
