import Foundation
import GameprofAnalysis
import Testing

/// Releases that are one too many: who made them is said where the retains and releases of the object leave one answer.
@Suite struct OverReleaseTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func finding(
        _ build: ZombieMatrixTests.Build, _ shape: String, hasHistory: Bool = true
    ) throws -> Finding {
        let json = folder.url.appending(path: "report.json")
        let result = try Command.run(
            Products.gameprof,
            ["zombies", "--json", json.path, "--quiet"] + (hasHistory ? ["--retains", "Texture"] : [])
                + ["--", build.executable(of: "OverReleases").path, shape],
            environment: ["SWIFT_BACKTRACE": "enable=no"], directory: folder.url)
        #expect(result.status == 1)
        return try #require(try Report(json: json).findings.first { $0.kind == .zombie }, "\(result.error)")
    }

    private func suspects(_ finding: Finding) -> [String] {
        (finding.history?.changes ?? []).filter(\.suspect).map { change in
            change.by?.frames.first { $0.origin == .user }?.function ?? "?"
        }
    }

    @Test("the one function that releases without a retain is marked", arguments: ZombieMatrixTests.Build.usual)
    func callback(_ build: ZombieMatrixTests.Build) throws {
        let finding = try finding(build, "callback")
        #expect(Set(suspects(finding)).isSubset(of: ["takeUnowned(_:)"]))
        let fix = try #require(finding.fix)
        #expect(fix.hasPrefix("Atlas.textures still refers to it. takeUnowned(_:)"), "\(fix)")
        #expect(fix.contains("without a retain of its own"))
    }

    @Test(
        "of two functions that release one retain none is marked, and both are named in their order",
        arguments: ZombieMatrixTests.Build.usual,
        [
            ("twice", ["showProgress(_:)", "finish(_:)"]), ("slot", ["Slot.take(_:)"]), ("one-slot", ["Slot.take(_:)"]),
            ("range", ["Tiles.clearLast()"]),
            ("helper", ["called by close(_:)", "called by evict(_:)"]),
        ])
    func severalAnswers(_ build: ZombieMatrixTests.Build, _ shape: (name: String, functions: [String])) throws {
        let finding = try finding(build, shape.name)
        #expect(suspects(finding) == [])
        let fix = try #require(finding.fix)
        #expect(fix.hasPrefix("Atlas.textures still refers to it. One of these releases is one too many"), "\(fix)")
        var rest = fix[...]
        for function in shape.functions {
            let place = try #require(rest.range(of: function), "\(function) in \(fix)")
            rest = rest[place.upperBound...]
        }
    }

    @Test("without a history what still refers to it is named", arguments: ZombieMatrixTests.Build.usual)
    func holder(_ build: ZombieMatrixTests.Build) throws {
        let finding = try finding(build, "slot", hasHistory: false)
        #expect(
            finding.fix?.hasPrefix("Atlas.textures still refers to it: it was released once too often") == true)
        #expect(finding.heldBy?.contains("Atlas.textures[…]") == true, "\(finding.heldBy ?? [])")
    }

    @Test("a global variable that holds it is named", arguments: ZombieMatrixTests.Build.usual)
    func variable(_ build: ZombieMatrixTests.Build) throws {
        let finding = try finding(build, "variable")
        #expect(finding.fix?.hasPrefix("cover still refers to it. takeUnowned(_:)") == true, "\(finding.fix ?? "")")
    }

    @Test(
        "where its last owner gave it up, only the reference that does not own it is wrong",
        arguments: ZombieMatrixTests.Build.usual)
    func lastOwner(_ build: ZombieMatrixTests.Build) throws {
        let unload = try finding(build, "unload")
        #expect(suspects(unload) == [])
        #expect(unload.fix?.hasSuffix("later users of Texture must hold a strong or weak reference") == true)
        let shadow = try finding(build, "shadow")
        #expect(suspects(shadow) == [])
        #expect(shadow.fix == "the unowned reference outlives Texture: make it weak, or keep its target longer")
    }
}
