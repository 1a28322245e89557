// swift-tools-version: 6.1
import PackageDescription

// A plugin that brings gameprof built: nothing of gameprof is compiled. Put gameprof.artifactbundle of `make package` beside this
// file, or name the .zip by `url:` and `checksum:`.
let package = Package(
    name: "BundledTool",
    targets: [
        .executableTarget(name: "Season"),
        .binaryTarget(name: "gameprof", path: "gameprof.artifactbundle"),
        .plugin(
            name: "FindLeaks",
            capability: .command(intent: .custom(verb: "find-leaks", description: "Run Season under gameprof leaks.")),
            dependencies: ["gameprof"]),
    ]
)
