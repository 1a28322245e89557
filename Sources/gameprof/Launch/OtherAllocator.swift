import Foundation
import GameprofBasics

/// A library that takes the place of glibc's malloc, whose heap alone is searched.
enum OtherAllocator {
    private static let known = ["jemalloc", "mimalloc", "tcmalloc"]

    /// The one that the program is linked with, or that is loaded before it; nil: none that is known.
    static func name(in file: ProgramFile, _ environment: [String: String]) -> String? {
        let preloaded = (environment["LD_PRELOAD"] ?? "").split { $0 == ":" || $0 == " " }.map(String.init)
            .filter { !$0.contains("/") || access($0, F_OK) == 0 }
        let linked = (try? ELFFile(path: file.path))?.libraries ?? []
        return (preloaded + linked).lazy.compactMap(allocator).first
    }

    private static func allocator(_ library: String) -> String? {
        let name = URL(fileURLWithPath: library).lastPathComponent
        return known.first { name.hasPrefix("lib\($0)") }
    }

    /// - Throws: what cannot be recorded of the program, before it is run.
    static func check(_ file: ProgramFile, for instruments: [Instrument], _ environment: [String: String]) throws {
        guard instruments.contains(.leaks) || instruments.contains(.heap), let name = name(in: file, environment) else {
            return
        }
        throw ToolError(
            .programNotStarted,
            "\(file.name) uses \(name), but leaks can be searched for only in the heap of glibc's malloc. gameprof "
                + "allocations, time, zombies and files can record this program.")
    }
}
