// swift-tools-version: 6.1
import PackageDescription

// What others' interfaces report, recorded as probes. A package of its own: a user of GameInstrumentation alone resolves
// none of these dependencies.
let package = Package(
    name: "GameProfilerAdapters",
    products: [.library(name: "InstrumentationAdapters", targets: ["InstrumentationAdapters"])],
    dependencies: [
        .package(name: "GameProfiler", path: "../.."),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
    ],
    targets: [
        .target(
            name: "InstrumentationAdapters",
            dependencies: [
                .product(name: "GameInstrumentation", package: "GameProfiler"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ]),
        .testTarget(name: "InstrumentationAdaptersTests", dependencies: ["InstrumentationAdapters"]),
    ]
)
