// swift-tools-version: 6.1
import PackageDescription

// A server whose sampled heap is compared with exact counts of its own, and the load on it: Scripts/server-soak.
let package = Package(
    name: "ServerSoak",
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(name: "GameProfiler", path: Context.environment["GAMEPROFILER"] ?? "../../.."),
    ],
    targets: [
        .executableTarget(
            name: "Server",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "GameInstrumentation", package: "GameProfiler"),
                .product(name: "InstrumentationServing", package: "GameProfiler"),
            ]),
        .executableTarget(name: "Soak"),
    ]
)
