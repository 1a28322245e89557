// swift-tools-version: 6.1
import PackageDescription

// A game whose debug menu writes the page of the leaks since the level began. `swift build --traits Profiling`, then
// `GAMEPROF=leaks .build/debug/DebugMenu` and a line `F9`.
let profiler = Context.environment["GAMEPROFILER"] ?? "../.."

let package = Package(
    name: "DebugMenu",
    traits: [.trait(name: "Profiling", description: "Builds the game with the recorder.")],
    dependencies: [
        .package(
            name: "GameProfiler", path: profiler,
            traits: [.trait(name: "Instrumented", condition: .when(traits: ["Profiling"]))])
    ],
    targets: [
        .executableTarget(
            name: "DebugMenu",
            dependencies: [
                .product(name: "GameInstrumentation", package: "GameProfiler"),
                .product(name: "GameProfiler", package: "GameProfiler"),
            ])
    ])
