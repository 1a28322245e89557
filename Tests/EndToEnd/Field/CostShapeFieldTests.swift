import Foundation
import Testing

/// The cost of recording against the number of objects and of frames, counted in instructions.
@Suite(.enabled(if: LongTests.field)) struct CostShapeFieldTests {
    @Test func `an object costs the same among many, and a deeper stack no more for a frame`() throws {
        let run = try Command.run(
            Products.package.appending(path: "Benchmarks/run"), ["--explain", "--shape"], directory: Products.package)
        try #require(run.status == 0, "\(run.error)")
        var costs: [String: Double] = [:]
        for line in run.output.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 4 { costs[words[0...2].joined(separator: " ")] = Double(words[3]) }
        }
        for instrument in ["allocations", "zombies"] {
            func cost(_ workload: String) throws -> Double { try #require(costs["\(instrument) \(workload)"]) }
            #expect(try cost("mixed 80000") < 1.1 * cost("mixed 20000"))
            let ofFrames = try (cost("chains 64") - cost("chains 16")) / 48
            let ofDeepFrames = try (cost("chains 256") - cost("chains 64")) / 192
            #expect(ofDeepFrames < 1.2 * ofFrames + 2)
        }
    }
}
