// swift-tools-version: 6.1
import PackageDescription

// A repository with three programs that are checked by one budget: budget.yml. See README.md.
let package = Package(
    name: "ThreePrograms",
    targets: [
        .executableTarget(name: "Solver"), .executableTarget(name: "Server"), .executableTarget(name: "Importer"),
    ])
