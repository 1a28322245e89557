import ArgumentParser
import Foundation
import GameprofSymbolication

/// Where the symbols of stripped, moved and rebuilt programs are.
struct SymbolOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Look for symbols in this folder: unstripped programs, .debug files, .build-id/ab/cdef….debug. May be repeated.",
            valueName: "folder"))
    var symbols: [String] = []

    @Flag(
        name: .long,
        help: "Ask the debuginfod servers of DEBUGINFOD_URLS for symbols. They learn the build ids of the images.")
    var debuginfod = false

    func validate() throws {
        for folder in symbols {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
                throw ValidationError("--symbols takes a folder, and \(folder) is none.")
            }
        }
        guard debuginfod else { return }
        let environment = ProcessInfo.processInfo.environment
        guard !(environment["DEBUGINFOD_URLS"] ?? "").isEmpty else {
            throw ValidationError("--debuginfod needs the addresses of servers in DEBUGINFOD_URLS.")
        }
        guard SymbolSearch.serverClient(environment: environment) != nil else {
            throw ValidationError("--debuginfod needs debuginfod-find on the search path (package debuginfod).")
        }
    }

    var search: SymbolSearch { SymbolSearch(folders: symbols, asksServers: debuginfod) }
}
