// swift-tools-version: 6.1
import PackageDescription

// A package as a user has it, with its tests under the eyes of the profiler.
let package = Package(
    name: "CardGame",
    dependencies: [.package(name: "GameProfiler", path: "../../..")],
    targets: [
        .target(name: "CardGame"),
        .testTarget(
            name: "HealthyTests",
            dependencies: ["CardGame", .product(name: "InstrumentationTesting", package: "GameProfiler")]),
        .testTarget(
            name: "BenchTests",
            dependencies: ["CardGame", .product(name: "InstrumentationTesting", package: "GameProfiler")]),
        .testTarget(
            name: "FaultyTests",
            dependencies: ["CardGame", .product(name: "InstrumentationTesting", package: "GameProfiler")]),
    ]
)
