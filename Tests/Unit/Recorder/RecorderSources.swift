import Foundation
import GameprofTestSupport

/// The recorder's C sources, for programs that are compiled with parts of them.
enum RecorderSources {
    static let package = Repository.root

    /// What the compiler needs to find the headers of every floor.
    static let includes: [String] = {
        let recorder = package.appending(path: "Sources/Recorder")
        let floors = (try? FileManager.default.contentsOfDirectory(atPath: recorder.path)) ?? []
        return ["-D_GNU_SOURCE", "-I\(package.path)/Sources/Recorder/TraceFormat/include"]
            + floors.sorted().map { "-I\(recorder.path)/\($0)/include" }
    }()

    /// A file, as "Leaks/mark.c".
    static func file(_ path: String) -> String {
        package.appending(path: "Sources/Recorder/\(path)").path
    }

    /// The C files of a floor.
    static func files(of floor: String, where include: (String) -> Bool = { _ in true }) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: file(floor))
            .filter { $0.hasSuffix(".c") && include($0) }.sorted().map { file("\(floor)/\($0)") }
    }
}
