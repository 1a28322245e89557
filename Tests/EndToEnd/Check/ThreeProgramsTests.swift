import Foundation
import Testing

@testable import GameprofCheck

/// `Examples/ThreePrograms`: a repository with three programs in one budget, in one job and in several.
@Suite struct ThreeProgramsTests {
    @Test("one budget judges three programs, and parts of it join to the same result")
    func example() throws {
        let folder = try TemporaryFolder()
        let copy = folder.url.appending(path: "three")
        try FileManager.default.copyItem(at: Products.package.appending(path: "Examples/ThreePrograms"), to: copy)
        let build = try Command.run(URL(filePath: "/usr/bin/env"), ["swift", "build"], directory: copy)
        try #require(build.status == 0, "\(build.output)\(build.error)")
        func gameprof(_ arguments: String...) throws -> CommandResult {
            try Command.run(Products.gameprof, arguments, directory: copy)
        }
        func result(_ name: String) throws -> CheckResult {
            try JSONDecoder().decode(CheckResult.self, from: Data(contentsOf: copy.appending(path: name)))
        }
        let budget = ["check", "--budget", "budget.yml", "--baseline", "baseline.json"]
        let whole = try Command.run(Products.gameprof, budget + ["--json", "all.json"], directory: copy)
        #expect(whole.status == 0, "\(whole.error)")
        #expect(whole.error.contains("[2/3] server: .build/debug/Server 20") && whole.error.contains("run 3 of 3"))
        let all = try result("all.json")
        #expect(all.scenarios.map(\.name) == ["solver", "server", "importer"])
        #expect(all.scenarios.map(\.runs) == [1, 3, 1])
        for part in 1...3 {
            let shard = ["--shard", "\(part)/3", "--json", "\(part).json", "--quiet"]
            #expect(try Command.run(Products.gameprof, budget + shard, directory: copy).status == 0)
        }
        let merge = try gameprof("merge", "3.json", "1.json", "2.json", "-o", "joined.json", "--junit", "j.xml")
        #expect(merge.status == 0, "\(merge.error)")
        let joined = try result("joined.json")
        #expect(joined.scenarios.map(\.name) == all.scenarios.map(\.name))
        #expect(joined.scenarios.map(\.limits) == all.scenarios.map(\.limits))
        let incomplete = try gameprof("merge", "3.json", "1.json")
        #expect(incomplete.status == 2 && incomplete.error.contains("part 2/3 is missing"), "\(incomplete.error)")
    }
}
