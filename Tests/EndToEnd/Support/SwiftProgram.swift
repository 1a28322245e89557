import Foundation

/// A small program that a test compiles with plain `swiftc`, as a stranger would have built it.
enum SwiftProgram {
    enum Build: String, CaseIterable, CustomStringConvertible {
        case onone, optimised, staticOptimised, strippedStatic

        /// Builds that every shape is tried with.
        static let usual: [Build] = [.onone, .optimised]

        var description: String { rawValue }

        var flags: [String] {
            switch self {
            case .onone: ["-Onone", "-g"]
            case .optimised: ["-O", "-g"]
            case .staticOptimised: ["-O", "-g", "-static-stdlib"]
            case .strippedStatic: ["-O", "-static-stdlib", "-Xlinker", "--strip-all"]
            }
        }
    }

    struct CompilationFailed: Error, CustomStringConvertible {
        var description: String
    }

    /// Compiles `source` as the module `module` and returns the executable. What was compiled once, with the same
    /// flags, is kept in the build folder and taken from there.
    static func compile(_ source: String, module: String, build: Build, extraFlags: [String] = []) throws -> URL {
        try compile(sources: ["main.swift": source], module: module, build: build, extraFlags: extraFlags)
    }

    /// Compiles files of the folder `Programs` together, each by itself: the optimiser sees one file at a time.
    static func compile(files: [String], module: String, build: Build, extraFlags: [String] = []) throws -> URL {
        try compile(sources: sources(files), module: module, build: build, extraFlags: extraFlags)
    }

    /// Compiles one file of the folder `Programs`, with code at the top level or with `@main`.
    static func compile(script file: String, module: String, build: Build) throws -> URL {
        let text = try sources([file])[file] ?? ""
        return try compile(
            sources: ["main.swift": text], module: module, build: build, extraFlags: [],
            isLibrary: text.contains("@main"))
    }

    /// The text of files of the folder `Programs`, by their names.
    static func sources(_ files: [String]) throws -> [String: String] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        var sources: [String: String] = [:]
        for file in files {
            sources[file] = try String(contentsOf: folder.appending(path: "Programs/\(file)"), encoding: .utf8)
        }
        return sources
    }

    private static func compile(
        sources: [String: String], module: String, build: Build, extraFlags: [String], isLibrary: Bool = true
    ) throws -> URL {
        let flags = build.flags + extraFlags + (isLibrary ? ["-parse-as-library"] : [])
        let texts = sources.sorted { $0.key < $1.key }.map(\.value)
        let key = stableHash(([module] + texts + flags).joined(separator: "\u{0}"))
        let folder = Products.folder.appending(path: "test-programs/\(module)-\(build.rawValue)-\(key)")
        let executable = folder.appending(path: module)
        return try compilations.value(for: executable) {
            guard !FileManager.default.fileExists(atPath: executable.path) else { return executable }
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            var paths: [String] = []
            for (name, text) in sources.sorted(by: { $0.key < $1.key }) {
                let file = folder.appending(path: name)
                try Data(text.utf8).write(to: file)
                paths.append(file.path)
            }
            let partial = folder.appending(path: "partial")
            let result = try Command.run(
                URL(filePath: "/usr/bin/env"),
                ["swiftc", "-swift-version", "5", "-module-name", module] + flags + paths + ["-o", partial.path])
            guard result.status == 0 else { throw CompilationFailed(description: result.error) }
            try FileManager.default.moveItem(at: partial, to: executable)
            return executable
        }
    }

    private static let compilations = Once<URL, URL>()

    /// FNV-1a: the same in every run, unlike Hasher.
    private static func stableHash(_ text: String) -> String {
        let hash = text.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}
