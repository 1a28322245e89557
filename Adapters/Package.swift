// swift-tools-version: 6.1
import PackageDescription

// What others' interfaces report, recorded as probes. A package of its own: whoever uses Instrumentation alone resolves
// none of these dependencies.
let package = Package(
    name: "GameProfilerAdapters",
    products: [.library(name: "InstrumentationAdapters", targets: ["InstrumentationAdapters"])],
    dependencies: [
        .package(name: "GameProfiler", path: ".."),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    ],
    targets: [
        .target(
            name: "InstrumentationAdapters",
            dependencies: [
                // swift-distributed-tracing has a module Instrumentation too.
                .product(
                    name: "Instrumentation", package: "GameProfiler",
                    moduleAliases: ["Instrumentation": "GameInstrumentation"]),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
            ]),
        .testTarget(
            name: "InstrumentationAdaptersTests",
            dependencies: [
                "InstrumentationAdapters",
                .product(
                    name: "Instrumentation", package: "GameProfiler",
                    moduleAliases: ["Instrumentation": "GameInstrumentation"]),
            ]),
    ]
)
