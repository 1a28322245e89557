// swift-tools-version: 6.1
import PackageDescription

// Data flows one way: game → capture (C) → trace file → reader → analysis → report. Targets name only what lies
// upstream of them, so the compiler refuses an import backwards.
let package = Package(
    name: "GameProfiler",
    products: [
        .executable(name: "gameprof", targets: ["gameprof"]),
        .executable(name: "gamelab", targets: ["GameLab"]),
        .plugin(name: "GameProf", targets: ["GameProf"]),
        .library(name: "GameModel", targets: ["GameModel"]),
        .library(name: "GameInstrumentation", targets: ["GameInstrumentation"]),
        .library(name: "InstrumentationTesting", targets: ["InstrumentationTesting"]),
        .library(name: "InstrumentedGames", targets: ["InstrumentedGames"]),
        .plugin(name: "AnalyzeSources", targets: ["AnalyzeSources"]),
        .plugin(name: "AnalyzeWhileBuilding", targets: ["AnalyzeWhileBuilding"]),
    ],
    traits: [
        .trait(
            name: "Recording",
            description: "Instrumentation records. Without it its calls do nothing and leave no symbol in the program."),
        .default(enabledTraits: ["Recording"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ],
    targets: [
        // The games and their faults.
        .target(name: "GameModel"),
        .executableTarget(
            name: "GameLab",
            dependencies: ["GameModel", .product(name: "ArgumentParser", package: "swift-argument-parser")]),

        // The recorded process.
        .target(name: "CTraceFormat"),
        .target(
            name: "CCapture", dependencies: ["CTraceFormat"],
            cSettings: [.headerSearchPath("internal"), .define("_GNU_SOURCE")]),
        .target(
            name: "CInterpose", dependencies: ["CCapture"],
            cSettings: [.headerSearchPath("../CCapture/internal"), .define("_GNU_SOURCE")]),
        .target(name: "CInstrumentationOff"),
        .target(
            name: "GameInstrumentation",
            dependencies: [
                "CInstrumentationOff", .target(name: "CCapture", condition: .when(traits: ["Recording"])),
                .target(name: "CInterpose", condition: .when(traits: ["Recording"])),
            ],
            path: "Sources/Instrumentation"),
        .target(
            name: "CTestRecording", dependencies: ["CCapture", "CInterpose"],
            cSettings: [.headerSearchPath("../CCapture/internal"), .define("_GNU_SOURCE")]),
        .target(name: "InstrumentationTesting", dependencies: ["CTestRecording", "GameInstrumentation", "Profiler"]),
        .target(name: "InstrumentedGames", dependencies: ["GameInstrumentation", "GameModel"]),

        // The preload library: the C targets compiled once more into a shared object that needs libc alone.
        .plugin(name: "BuildCaptureLibrary", capability: .buildTool()),
        .target(name: "CaptureLibrary", plugins: ["BuildCaptureLibrary"]),

        // The static look in the builds of other packages. They run a gameprof-analyze that is built already: a package
        // that uses them does not build swift-syntax.
        .plugin(
            name: "AnalyzeSources",
            capability: .command(
                intent: .custom(verb: "analyze", description: "Look for causes of retain cycles and growth."))),
        .plugin(name: "AnalyzeWhileBuilding", capability: .buildTool()),

        // The tool.
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .target(name: "TraceFile", dependencies: ["CTraceFormat", "CZstd"]),
        // The one type that the analyzer, a package of its own, shares with the tool.
        .target(name: "SuspectModel", path: "Analyzer/Sources/SuspectModel"),
        .target(
            name: "Profiler",
            dependencies: [
                "TraceFile", "SuspectModel", "Yams",
                .product(name: "Mustache", package: "swift-mustache"),
            ],
            resources: [.embedInCode("Resources")]),
        .executableTarget(
            name: "gameprof",
            dependencies: [
                "Profiler", "CaptureLibrary",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),

        .plugin(
            name: "GameProf",
            capability: .command(
                intent: .custom(verb: "gameprof", description: "Build a product and record it with gameprof."),
                permissions: [
                    .writeToPackageDirectory(reason: "gameprof writes the reports and traces that its options name.")
                ]),
            dependencies: ["gameprof"]),

        .testTarget(name: "GameModelTests", dependencies: ["GameModel"]),
        .testTarget(name: "GameLabTests", dependencies: ["GameLab"]),
        .testTarget(
            name: "CCaptureTests", dependencies: ["CCapture", "CTraceFormat", "CaptureLibrary"],
            cSettings: [.headerSearchPath("../../Sources/CCapture/internal")]),
        .testTarget(name: "TraceFileTests", dependencies: ["TraceFile"]),
        .testTarget(name: "ProfilerTests", dependencies: ["Profiler"], exclude: ["Golden"]),
        .testTarget(
            name: "EndToEndTests", dependencies: ["CaptureLibrary", "TraceFile", "Profiler"], exclude: ["Programs"]),
    ],
    cLanguageStandard: .c11
)
