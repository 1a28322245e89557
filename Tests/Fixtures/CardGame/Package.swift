// swift-tools-version: 6.1
import PackageDescription

// A package as a user has it, with its tests under the eyes of the profiler. Plain `swift test` builds without the trait:
// the checks of its tests must work all the same.
let package = Package(
    name: "CardGame",
    traits: [.trait(name: "Profiling", description: "Builds the game with its probes and the recorder.")],
    dependencies: [
        .package(
            name: "GameProfiler", path: "../../..",
            traits: [.trait(name: "Instrumented", condition: .when(traits: ["Profiling"]))])
    ],
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
