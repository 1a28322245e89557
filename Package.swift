// swift-tools-version: 6.1
import PackageDescription

extension Target {
    /// A floor of the recorder, a folder of Sources/Recorder: it includes headers of the floors in `on`, and of what those
    /// stand on, alone.
    static func floor(_ name: String, on below: [String] = []) -> Target {
        func target(_ name: String) -> String { name == "TraceFormat" ? "CTraceFormat" : "CRecorder\(name)" }
        return .target(
            name: target(name), dependencies: below.map { .init(stringLiteral: target($0)) },
            path: "Sources/Recorder/\(name)", cSettings: [.define("_GNU_SOURCE")])
    }

    /// A stage of the tool, a folder of Sources/Profiler.
    static func stage(
        _ name: String, on below: [String] = [], others: [Dependency] = [], resources: [Resource]? = nil
    ) -> Target {
        .target(
            name: "Gameprof\(name)", dependencies: below.map { .init(stringLiteral: "Gameprof\($0)") } + others,
            path: "Sources/Profiler/\(name)", resources: resources)
    }
}

// In the order of the data: game → recorder → trace file → reader → analysis → report. A target names only what lies upstream
// of it, so the compiler refuses an import backwards. The names of targets are one space with those of every package that a
// user builds beside this one: none is a single common word.
let package = Package(
    name: "GameProfiler",
    products: [
        .executable(name: "gameprof", targets: ["gameprof"]),
        .executable(name: "gamelab", targets: ["GameLab"]),
        .plugin(name: "GameProf", targets: ["GameProf"]),
        .library(name: "GameModel", targets: ["GameModel"]),
        .library(name: "GameInstrumentation", targets: ["GameInstrumentation"]),
        .library(name: "InstrumentationServing", targets: ["InstrumentationServing"]),
        .library(name: "InstrumentationPush", targets: ["InstrumentationPush"]),
        .library(name: "InstrumentationTesting", targets: ["InstrumentationTesting"]),
        .library(name: "InstrumentedGames", targets: ["InstrumentedGames"]),
        .library(name: "GameProfiler", targets: ["GameProfiler"]),
        .plugin(name: "AnalyzeSources", targets: ["AnalyzeSources"]),
    ],
    traits: [
        .trait(
            name: "Instrumented",
            description: "Instrumentation records. Without it its calls do nothing and leave no code in the program."),
        .default(enabledTraits: ["Instrumented"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ],
    targets: [
        // MARK: The games and their faults
        .target(name: "GameModel"),
        .executableTarget(
            name: "GameLab",
            dependencies: ["GameModel", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            exclude: ["AnimatedScene"]),
        .executableTarget(
            name: "AnimatedGame",
            dependencies: ["GameInstrumentation", "GameModel", "InstrumentationServing", "InstrumentedGames"],
            path: "Sources/GameLab/AnimatedScene"),

        // MARK: The recorder, from what the program sees of it and the processor up to the functions it puts before the C
        // library's. Instruments (Leaks to Files) do not know each other; Control names each of them once.
        .floor("TraceFormat"),
        .floor("Interface", on: ["TraceFormat"]),
        .floor("Arch"),
        .floor("CFI", on: ["Arch"]),
        .floor("OS", on: ["Arch"]),
        .floor("Trace", on: ["OS", "TraceFormat"]),
        .floor("Modules", on: ["CFI", "Trace"]),
        .floor("Unwind", on: ["Interface", "Modules"]),
        .floor("SwiftABI", on: ["Interface", "Modules"]),
        .floor("Blocks", on: ["Interface", "SwiftABI", "Unwind"]),
        .floor("Leaks", on: ["Blocks"]),
        .floor("Zombies", on: ["Blocks"]),
        .floor("Time", on: ["Interface", "SwiftABI", "Unwind"]),
        .floor("Retains", on: ["Blocks"]),
        .floor("Probes", on: ["Interface", "SwiftABI"]),
        .floor("Files", on: ["Unwind"]),
        .floor("Control", on: ["Leaks", "Zombies", "Time", "Retains", "Probes", "Files"]),
        .floor("Interpose", on: ["Control"]),
        // The preload library: the floors compiled once more into a shared object that needs libc alone.
        .plugin(name: "BuildRecorderLibrary", capability: .buildTool()),
        .target(name: "RecorderLibrary", path: "Sources/Recorder/Preload", plugins: ["BuildRecorderLibrary"]),

        // MARK: What a game links
        .target(name: "CInstrumentationOff", path: "Sources/Instrumentation/Off"),
        .target(
            name: "GameInstrumentation",
            dependencies: [
                "CInstrumentationOff", .target(name: "CRecorderInterface", condition: .when(traits: ["Instrumented"])),
                .target(name: "CTraceFormat", condition: .when(traits: ["Instrumented"])),
                .target(name: "CRecorderInterpose", condition: .when(traits: ["Instrumented"])),
            ],
            path: "Sources/Instrumentation/Core"),
        .target(
            name: "InstrumentedGames", dependencies: ["GameInstrumentation", "GameModel"],
            path: "Sources/Instrumentation/Games"),
        // Figures of the running process: pprof and OpenMetrics, as answers to requests, and a listener for them.
        .target(
            name: "InstrumentationServing",
            dependencies: [
                "GameInstrumentation", "GameprofBasics",
                .target(name: "CRecorderInterface", condition: .when(traits: ["Instrumented"])),
                .target(name: "CTraceFormat", condition: .when(traits: ["Instrumented"])),
            ],
            path: "Sources/Instrumentation/Serving"),
        // These figures sent to a store from within; apart, because it links FoundationNetworking.
        .target(
            name: "InstrumentationPush", dependencies: ["GameprofBasics", "InstrumentationServing"],
            path: "Sources/Instrumentation/Push"),
        .target(
            name: "CTestRecording", dependencies: ["CRecorderControl", "CRecorderInterpose"],
            path: "Sources/Instrumentation/TestRecording", cSettings: [.define("_GNU_SOURCE")]),
        .target(
            name: "InstrumentationTesting",
            dependencies: [
                "CTestRecording", "GameprofBasics", "GameprofTrace", "GameprofHeap", "GameprofAnalysis",
                "GameprofReport",
            ],
            path: "Sources/Instrumentation/Testing"),

        // MARK: What reads a trace
        // Names, numbers, files; functions of image files; pprof. Nothing of a trace: a game that serves its figures links it.
        .stage("Basics", resources: [.embedInCode("Resources")]),
        // Modules CGameprofZstd, CSystemSQLite and CGameprofProcessor.
        .systemLibrary(
            name: "CGameprofSystem", path: "Sources/Profiler/SystemLibraries", pkgConfig: "libzstd",
            providers: [.apt(["libzstd-dev", "libsqlite3-dev"])]),
        // Bytes → recording: reading and writing, records, images, symbols.
        .stage("Trace", on: ["Basics"], others: ["CTraceFormat", "CGameprofSystem"]),
        // The heap of a clone, a process or a core file: memory → types → graph → reachability, as a recording.
        .stage("Heap", on: ["Basics", "Trace"], others: ["CTraceFormat", "CGameprofSystem"]),
        // CPU time and waits of a running process, sampled from outside, as a trace.
        .stage(
            "Sampling", on: ["Basics", "Trace", "Heap"],
            others: ["CTraceFormat", "CGameprofSystem", "CRecorderCFI"]),
        // Cause and remedy, without words; the report as a value, which every output renders.
        .stage("Analysis", on: ["Basics", "Trace"], others: ["CGameprofSystem"]),
        // Every sentence; text, JSON, pages.
        .stage(
            "Report", on: ["Basics", "Analysis"], others: [.product(name: "Mustache", package: "swift-mustache")],
            resources: [.embedInCode("HTML/Resources")]),
        // What fails a build, and the result for its readers; formats of other viewers.
        .stage("Check", on: ["Basics", "Trace", "Analysis", "Report"], others: ["CGameprofSystem"]),

        // Reports in a program of one's own: of a trace, and of what its process lost. Neither Yams nor ArgumentParser.
        .target(
            name: "GameProfiler",
            dependencies: [
                "GameInstrumentation", "GameprofBasics", "GameprofTrace", "GameprofHeap", "GameprofAnalysis",
                "GameprofReport", .target(name: "CRecorderInterface", condition: .when(traits: ["Instrumented"])),
            ],
            path: "Sources/Profiler/Library"),

        // MARK: The command line
        .executableTarget(
            name: "gameprof",
            dependencies: [
                "GameprofBasics", "GameprofTrace", "GameprofHeap", "GameprofSampling", "GameprofAnalysis",
                "GameprofReport", "GameprofCheck", "RecorderLibrary", "Yams",
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
        // The static look in other packages, by a gameprof-analyze that is built already: they do not build swift-syntax.
        .plugin(
            name: "AnalyzeSources",
            capability: .command(
                intent: .custom(verb: "analyze", description: "Look for causes of retain cycles and over-releases."))),

        // MARK: Tests
        // Traces made record by record, profiles of pprof read back.
        .target(
            name: "GameprofTestSupport", dependencies: ["GameprofBasics", "CTraceFormat", "GameprofTrace"],
            path: "Tests/Support"),
        .testTarget(
            name: "UnitTests",
            dependencies: [
                "gameprof", "GameModel", "GameprofBasics", "GameprofTrace", "GameprofHeap", "GameprofSampling",
                "CRecorderCFI", "GameprofAnalysis",
                "GameprofReport", "GameprofCheck", "CTraceFormat", "RecorderLibrary", "InstrumentationServing",
                "InstrumentationPush", "GameInstrumentation", "GameProfiler", "GameprofTestSupport",
            ],
            path: "Tests/Unit", exclude: ["Golden"]),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "GameLab", "GameModel", "RecorderLibrary", "GameprofBasics", "GameprofTrace", "GameprofHeap",
                "GameprofAnalysis", "GameprofReport", "GameprofCheck", "GameprofTestSupport", "Yams",
            ],
            path: "Tests/EndToEnd", exclude: ["Programs"]),
    ],
    cLanguageStandard: .c11
)
