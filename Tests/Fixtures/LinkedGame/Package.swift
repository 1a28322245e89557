// swift-tools-version: 6.1
import PackageDescription

// A game as a stranger has it: its own trait decides whether Instrumentation records.
let profiler = Context.environment["GAMEPROFILER"] ?? "../../.."
let name = profiler.split(separator: "/").last.map(String.init) ?? profiler

let package = Package(
    name: "LinkedGame",
    traits: [.trait(name: "Profiling", description: "Builds the game with its probes and the recorder.")],
    dependencies: [
        .package(path: profiler, traits: [.trait(name: "Instrumented", condition: .when(traits: ["Profiling"]))])
    ],
    targets: [
        .executableTarget(
            name: "LinkedGame",
            dependencies: [
                .product(name: "GameInstrumentation", package: name),
                .product(
                    name: "InstrumentationServing", package: name, condition: .when(traits: ["Profiling"])),
                .product(name: "InstrumentedGames", package: name),
                .product(name: "GameModel", package: name),
            ]),
        // It sends its own profiles; without the trait it does nothing.
        .executableTarget(
            name: "PushingProgram",
            dependencies: [
                .product(name: "GameInstrumentation", package: name, condition: .when(traits: ["Profiling"])),
                .product(name: "InstrumentationPush", package: name, condition: .when(traits: ["Profiling"])),
            ]),
        // It looks for what it loses; without the trait it does nothing.
        .executableTarget(
            name: "WatchedGame",
            dependencies: [.product(name: "GameProfiler", package: name, condition: .when(traits: ["Profiling"]))]),
        .executableTarget(
            name: "LostBoard", dependencies: [.product(name: "GameInstrumentation", package: name)]),
        .executableTarget(
            name: "WrappedTurns",
            dependencies: [
                .product(name: "GameInstrumentation", package: name),
                .product(name: "InstrumentedGames", package: name),
                .product(name: "GameModel", package: name),
            ]),
        // Its source is a copy of WrappedTurns, made before the build: a link would not survive every transport.
        .executableTarget(
            name: "BareTurns", dependencies: [.product(name: "GameModel", package: name)],
            swiftSettings: [.define("Bare")]),
    ])
