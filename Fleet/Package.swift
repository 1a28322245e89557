// swift-tools-version: 6.1
import PackageDescription

// A package of its own: a build of gameprof needs no wrapper of SQLite. It reads what gameprof
// writes (Documentation/report.schema.json, check.schema.json) and shares GameprofBasics and SeriesStatistics with the root
// package: Scripts/link-packages links their folders before a build (what is declared `package` there is of one package only).

// In debug builds too: tests look at thousands of series.
let optimised: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

let package = Package(
    name: "GameFleet",
    products: [
        .executable(name: "gameprof-history", targets: ["gameprof-history"])
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    ],
    targets: [
        .target(name: "GameprofBasics", resources: [.embedInCode("Resources")]),
        // Tests and change points of number series; no other target.
        .target(name: "SeriesStatistics", swiftSettings: optimised),
        // Runs as values, what changed between them, and what fails a build.
        .target(name: "HistoryModel", dependencies: ["GameprofBasics", "SeriesStatistics"], swiftSettings: optimised),
        // The SQLite file.
        .target(name: "HistoryStore", dependencies: ["HistoryModel", .product(name: "GRDB", package: "GRDB.swift")]),
        .target(
            name: "HistoryPage", dependencies: ["GameprofBasics", "HistoryModel", "SeriesStatistics"],
            resources: [.embedInCode("Resources")]),
        .executableTarget(
            name: "gameprof-history",
            dependencies: [
                "GameprofBasics", "HistoryModel", "HistoryStore", "HistoryPage", "SeriesStatistics",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .testTarget(name: "StatisticsTests", dependencies: ["SeriesStatistics"]),
        .testTarget(
            name: "HistoryTests",
            dependencies: [
                "GameprofBasics", "HistoryModel", "HistoryStore", "HistoryPage", "SeriesStatistics",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
    ]
)
