import ArgumentParser
import Foundation
import GameprofTrace

/// Where the symbols of stripped, moved and rebuilt programs are.
struct SymbolOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            Look for symbols in this folder (unstripped programs, .debug files, .build-id/ab/cdef….debug), or ask the \
            servers of DEBUGINFOD_URLS (debuginfod), which learn the build ids of the images. May be repeated.
            """,
            valueName: "folder|debuginfod"))
    var symbols: [String] = []

    private static let servers = "debuginfod"

    private var folders: [String] { symbols.filter { $0 != Self.servers } }

    private var asksServers: Bool { symbols.contains(Self.servers) }

    func validate() throws {
        for folder in folders {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
                throw ValidationError("--symbols takes a folder, and \(folder) is none.")
            }
        }
        guard asksServers else { return }
        let environment = ProcessInfo.processInfo.environment
        guard !(environment["DEBUGINFOD_URLS"] ?? "").isEmpty else {
            throw ValidationError("--symbols debuginfod needs the addresses of servers in DEBUGINFOD_URLS.")
        }
        guard SymbolSearch.serverClient(environment: environment) != nil else {
            throw ValidationError("--symbols debuginfod needs debuginfod-find on the search path (package debuginfod).")
        }
    }

    var search: SymbolSearch { SymbolSearch(folders: folders, asksServers: asksServers) }
}
