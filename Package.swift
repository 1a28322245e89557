// swift-tools-version: 6.1
import PackageDescription

extension Target {
    /// A floor of the recorder, a folder of Sources/CRecorder: it includes headers of the floors in `on`, and of what those
    /// stand on, alone. The target of `Interface`, which programs import, is CCapture.
    static func floor(_ name: String, on below: [String] = []) -> Target {
        func target(_ name: String) -> String {
            name == "Interface" ? "CCapture" : name == "TraceFormat" ? "CTraceFormat" : "CRecorder\(name)"
        }
        return .target(
            name: target(name), dependencies: below.map { .init(stringLiteral: target($0)) },
            path: "Sources/CRecorder/\(name)", cSettings: [.define("_GNU_SOURCE")])
    }
}

// Data flows one way: game → capture (C) → trace file → reader → analysis → report. Targets name only what lies
// upstream of them, so the compiler refuses an import backwards. The names of targets are one space with those of every package
// that a user builds beside this one: none is a single common word.
let package = Package(
    name: "GameProfiler",
    products: [
        .executable(name: "gameprof", targets: ["gameprof"]),
        .executable(name: "gamelab", targets: ["GameLab"]),
        .plugin(name: "GameProf", targets: ["GameProf"]),
        .library(name: "GameModel", targets: ["GameModel"]),
        .library(name: "GameInstrumentation", targets: ["GameInstrumentation"]),
        .library(name: "InstrumentationEndpoints", targets: ["InstrumentationEndpoints"]),
        .library(name: "InstrumentationListener", targets: ["InstrumentationListener"]),
        .library(name: "InstrumentationPush", targets: ["InstrumentationPush"]),
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
        // The recorder, from what the program sees of it and the processor up to the functions it puts before the C
        // library's. Instruments (Leaks to Probes) do not know each other; Control names each of them once.
        .floor("Interface", on: ["TraceFormat"]),
        .floor("Arch"),
        .floor("OS", on: ["Arch"]),
        .floor("Signals", on: ["OS"]),
        .floor("Trace", on: ["OS", "TraceFormat"]),
        .floor("Modules", on: ["Trace"]),
        .floor("Unwind", on: ["Interface", "Modules"]),
        .floor("SwiftABI", on: ["Modules"]),
        .floor("Blocks", on: ["Interface", "Signals", "SwiftABI", "Unwind"]),
        .floor("Hooks", on: ["Modules"]),
        .floor("Leaks", on: ["Blocks"]),
        .floor("Zombies", on: ["Blocks", "Hooks"]),
        .floor("Time", on: ["Signals", "SwiftABI", "Unwind"]),
        .floor("Retains", on: ["Blocks", "Hooks"]),
        .floor("Probes", on: ["Interface", "SwiftABI"]),
        .floor("Control", on: ["Leaks", "Zombies", "Time", "Retains", "Probes"]),
        .floor("Interpose", on: ["Control"]),
        .target(name: "CInstrumentationOff"),
        .target(
            name: "GameInstrumentation",
            dependencies: [
                "CInstrumentationOff", .target(name: "CCapture", condition: .when(traits: ["Recording"])),
                .target(name: "CTraceFormat", condition: .when(traits: ["Recording"])),
                .target(name: "CRecorderInterpose", condition: .when(traits: ["Recording"])),
            ],
            path: "Sources/Instrumentation"),
        .target(
            name: "CTestRecording", dependencies: ["CRecorderControl", "CRecorderInterpose"],
            cSettings: [.define("_GNU_SOURCE")]),
        .target(
            name: "InstrumentationTesting",
            dependencies: [
                "CTestRecording", "GameprofBasics", "GameprofTraceFile", "GameprofRecording", "GameprofSymbolication",
                "GameprofReportModel", "GameprofProfiler",
                "GameprofRendering",
            ]),
        // What is known of a running process in the formats of others; it does not know the recorder.
        .target(
            name: "GameprofProcessFigures", dependencies: ["GameprofBasics", "GameprofImageSymbols", "GameprofPprof"]),
        // Figures of the running process as answers to requests, and a listener of its own for them.
        .target(
            name: "InstrumentationEndpoints",
            dependencies: [
                "GameprofBasics", "GameInstrumentation", "GameprofProcessFigures",
                .target(name: "CCapture", condition: .when(traits: ["Recording"])),
            ]),
        .target(name: "InstrumentationListener", dependencies: ["InstrumentationEndpoints", "GameprofProcessFigures"]),
        // These figures sent to a store from within.
        .target(name: "CPushAtLoad", cSettings: [.define("_GNU_SOURCE")]),
        .target(
            name: "InstrumentationPush",
            dependencies: [
                "CPushAtLoad", "InstrumentationEndpoints", "GameprofProcessFigures", "GameprofProfileStores",
            ]),
        .target(name: "InstrumentedGames", dependencies: ["GameInstrumentation", "GameModel"]),
        .executableTarget(
            name: "AnimatedGame",
            dependencies: ["GameInstrumentation", "GameModel", "InstrumentationListener", "InstrumentedGames"]),

        // The preload library: the C targets compiled once more into a shared object that needs libc alone.
        .executableTarget(name: "EmbedLibrary"),
        .plugin(name: "BuildCaptureLibrary", capability: .buildTool(), dependencies: ["EmbedLibrary"]),
        .target(name: "CaptureLibrary", plugins: ["BuildCaptureLibrary"]),

        // The static look in the builds of other packages. They run a gameprof-analyze that is built already: a package
        // that uses them does not build swift-syntax.
        .plugin(
            name: "AnalyzeSources",
            capability: .command(
                intent: .custom(verb: "analyze", description: "Look for causes of retain cycles and growth."))),
        .plugin(name: "AnalyzeWhileBuilding", capability: .buildTool()),

        // The tool.
        .systemLibrary(name: "CGameprofZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .target(name: "GameprofTraceFile", dependencies: ["GameprofBasics", "CTraceFormat", "CGameprofZstd"]),
        // The one type that the analyzer, a package of its own, shares with the tool.
        .target(name: "StaticFindingModel", path: "Analyzer/Sources/StaticFindingModel"),
        // Names, numbers, escaping: what every stage below may use.
        .target(name: "GameprofBasics"),
        .target(name: "GameprofRecording", dependencies: ["GameprofBasics", "GameprofTraceFile"]),
        // Names of functions from image files: in the tool, and in a process of its own.
        .target(name: "GameprofImageSymbols", dependencies: ["GameprofBasics"]),
        .target(
            name: "GameprofSymbolication",
            dependencies: ["GameprofBasics", "GameprofImageSymbols", "GameprofTraceFile", "GameprofRecording"]),
        // The report as a value: what analyses fill in and every output renders.
        .target(name: "GameprofReportModel", dependencies: ["GameprofBasics", "StaticFindingModel"]),
        .target(
            name: "GameprofProfiler",
            dependencies: [
                "GameprofBasics", "GameprofTraceFile", "GameprofRecording", "GameprofSymbolication",
                "GameprofReportModel", "StaticFindingModel",
            ]),
        .target(
            name: "GameprofRendering", dependencies: ["GameprofBasics", "GameprofReportModel", "StaticFindingModel"]),
        .target(
            name: "GameprofHTMLRendering",
            dependencies: [
                "GameprofBasics", "GameprofReportModel", "GameprofRendering", "GameprofCheck",
                .product(name: "Mustache", package: "swift-mustache"),
            ],
            resources: [.embedInCode("Resources")]),
        .target(name: "GameprofCheck", dependencies: ["GameprofBasics", "GameprofReportModel"]),
        .target(
            name: "GameprofResults",
            dependencies: [
                "GameprofBasics", "GameprofReportModel", "GameprofCheck", "GameprofRendering", "StaticFindingModel",
            ]),
        // The user's YAML files.
        .target(
            name: "GameprofConfiguration",
            dependencies: ["GameprofBasics", "GameprofReportModel", "GameprofCheck", "Yams"]),
        .systemLibrary(name: "CSystemSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        // The format of pprof, written.
        .target(name: "GameprofPprof"),
        // The requests that stores of profiles get.
        .target(name: "GameprofProfileStores", dependencies: ["GameprofPprof"]),
        .target(
            name: "GameprofExport",
            dependencies: [
                "GameprofBasics", "GameprofPprof", "GameprofProfileStores", "GameprofTraceFile", "GameprofRecording",
                "GameprofSymbolication", "GameprofProfiler",
                "CSystemSQLite",
            ]),
        .executableTarget(
            name: "gameprof",
            dependencies: [
                "GameprofBasics", "GameprofImageSymbols", "GameprofTraceFile", "GameprofRecording",
                "GameprofSymbolication", "GameprofReportModel", "GameprofProfiler",
                "GameprofRendering",
                "GameprofHTMLRendering", "GameprofCheck", "GameprofResults", "GameprofConfiguration", "GameprofExport",
                "GameprofProfileStores", "StaticFindingModel",
                "CaptureLibrary",
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
            name: "CCaptureTests",
            dependencies: [
                "GameprofBasics", "CTraceFormat", "CaptureLibrary", "GameprofRecording", "TraceBuilding",
                "GameprofTraceFile",
            ]),
        // Traces for tests, made record by record.
        .target(
            name: "TraceBuilding", dependencies: ["GameprofBasics", "CTraceFormat", "GameprofTraceFile"],
            path: "Tests/TraceBuilding"),
        // A program that sends its own profiles.
        .executableTarget(
            name: "PushingProgram", dependencies: ["GameInstrumentation", "InstrumentationPush"],
            path: "Tests/PushingProgram"),
        // Profiles of pprof, read back.
        .target(name: "PprofReading", path: "Tests/PprofReading"),
        .testTarget(name: "TraceFileTests", dependencies: ["CTraceFormat", "GameprofTraceFile", "TraceBuilding"]),
        .testTarget(
            name: "ProfilerTests",
            dependencies: [
                "GameprofBasics", "GameprofImageSymbols", "GameprofPprof", "PprofReading", "GameprofProfileStores",
                "GameprofTraceFile", "GameprofRecording",
                "GameprofSymbolication",
                "GameprofReportModel", "GameprofProfiler", "GameprofRendering",
                "GameprofHTMLRendering", "GameprofCheck", "GameprofResults", "GameprofConfiguration", "GameprofExport",
                "StaticFindingModel", "TraceBuilding",
            ],
            exclude: ["Golden"]),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "CaptureLibrary", "PprofReading",
                "GameprofBasics", "GameprofTraceFile", "GameprofRecording", "GameprofSymbolication",
                "GameprofReportModel", "GameprofProfiler", "GameprofRendering",
                "GameprofHTMLRendering", "GameprofCheck", "GameprofResults", "GameprofConfiguration", "GameprofExport",
                "StaticFindingModel", "TraceBuilding",
                "Yams",
            ],
            exclude: ["Programs"]),
        .testTarget(
            name: "ProcessFiguresTests",
            dependencies: [
                "GameprofBasics", "GameprofImageSymbols", "GameprofPprof", "PprofReading", "GameprofProcessFigures",
            ]),
        .testTarget(
            name: "InstrumentationPushTests", dependencies: ["InstrumentationPush", "GameprofProfileStores"]),
    ],
    cLanguageStandard: .c11
)
