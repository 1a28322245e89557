import Foundation

/// The time that the traits of InstrumentationTesting add to a suite.
extension Rows {
    var testRows: [Row] {
        [Row(name: "tests", title: "a suite of 4 tests with 10 cases each, debug build", run: tests)]
    }

    private func tests() {
        let program = programs + "/CardGame/debug/CardGamePackageTests.xctest"
        func suite(_ name: String, as title: String, environment: [String: String] = [:]) -> Variant {
            Variant(
                name: title,
                arguments: [program, "--testing-library", "swift-testing", "--filter", "BenchTests.\(name)/"],
                environment: environment)
        }
        table(
            [
                suite("Plain", as: "not recorded", environment: ["GAMEPROF_TESTING": "off"]),
                suite("Plain", as: "without traits"),
                suite("LeakFree", as: ".leakFree"),
                suite("Counted", as: ".allocations"),
                suite("ZombieFree", as: ".zombieFree"),
            ], wholeRun: true)
    }
}
