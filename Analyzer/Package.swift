// swift-tools-version: 6.1
import PackageDescription

// A package of its own, because swift-syntax takes minutes to build: nobody who only records pays for it. Data flows one
// way: source text → SourceReader → SourceModel → StaticLook → StaticFindingModel, a folder of the root package's ReportModel.
// Scripts/link-packages links it and GameprofBasics before a build. BuildIndex reads what a build left beside it.
let package = Package(
    name: "GameAnalyzer",
    products: [
        .executable(name: "gameprof-analyze", targets: ["gameprof-analyze"]),
        .library(name: "StaticLook", targets: ["StaticLook"]),
    ],
    dependencies: [
        .package(url: "https://github.com/swiftlang/swift-syntax", exact: "603.0.1")
    ],
    targets: [
        .target(name: "GameprofBasics", resources: [.embedInCode("Resources")]),
        .target(name: "StaticFindingModel"),
        .target(name: "SourceModel"),
        .target(
            name: "SourceReader",
            dependencies: [
                "SourceModel", "GameprofBasics",
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftParser", package: "swift-syntax"),
            ]),
        .target(name: "CIndexStore", linkerSettings: [.linkedLibrary("dl")]),
        .target(name: "BuildIndex", dependencies: ["CIndexStore"]),
        .target(
            name: "StaticLook",
            dependencies: ["GameprofBasics", "SourceModel", "SourceReader", "BuildIndex", "StaticFindingModel"]),
        .executableTarget(name: "gameprof-analyze", dependencies: ["GameprofBasics", "StaticLook", "BuildIndex"]),
        .testTarget(name: "StaticLookTests", dependencies: ["StaticLook"]),
    ]
)
