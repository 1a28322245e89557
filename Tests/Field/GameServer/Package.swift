// swift-tools-version: 6.1
import PackageDescription

// Links the recorder beside swift-distributed-tracing, on which Hummingbird depends; with PLAIN set it is the server as it ships.
let traits: Set<Package.Dependency.Trait> = Context.environment["PLAIN"] == nil ? ["Instrumented"] : []

let package = Package(
    name: "GameServer",
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(name: "GameProfiler", path: Context.environment["GAMEPROFILER"] ?? "../../..", traits: traits),
    ],
    targets: [
        .executableTarget(
            name: "GameServer",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "GameInstrumentation", package: "GameProfiler"),
            ],
            path: "Sources")
    ]
)
