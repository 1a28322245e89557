// swift-tools-version: 6.1
import PackageDescription

// A server that counts its own objects and tasks, the load on it, and two comparisons with these counts: of its sampled heap
// (Scripts/server-soak) and of the looks at it from outside (Scripts/server-looks).
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
        .target(name: "Client"),
        .executableTarget(name: "Soak", dependencies: ["Client"]),
        .executableTarget(name: "Looks", dependencies: ["Client"]),
    ]
)
