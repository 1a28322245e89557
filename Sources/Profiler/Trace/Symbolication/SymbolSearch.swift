import Foundation
import GameprofBasics

/// Where the symbols of images are looked for, beside their files and the system's folders of debug information.
public struct SymbolSearch: Sendable {
    /// Folders with unstripped programs, `.debug` files, or `.build-id/ab/cdef….debug`, or roots of the system that was recorded;
    /// the first that has a file is taken.
    public var folders: [String]
    /// The debuginfod servers of `DEBUGINFOD_URLS` are asked, through `debuginfod-find`.
    public var asksServers: Bool
    /// Where the files of images can be read just now, by their names: those of a process in a file system of its own, or deleted.
    package var places: [String: String] = [:]

    public init(folders: [String] = [], asksServers: Bool = false) {
        self.folders = folders
        self.asksServers = asksServers
    }

    /// The user asks for more than what a trace holds itself.
    var isAsked: Bool { !folders.isEmpty || asksServers }

    /// The program that asks debuginfod servers; nil: it is not installed.
    public static func serverClient(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String? {
        (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/debuginfod-find" }
            .first { access($0, X_OK) == 0 }
    }

    private static let systemFolder = "/usr/lib/debug"

    /// Files that may hold the debug information of an image, by descending likelihood.
    /// - Parameter link: the name in the image's `.gnu_debuglink`.
    func candidates(of path: String, buildID: [UInt8], link: String?) -> [String] {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        let folder = path.hasPrefix("/") ? String(path.dropLast(name.utf8.count + 1)) : ""
        var result: [String] = []
        let byID = Self.path(of: buildID)
        for directory in folders {
            if let byID { result += ["\(directory)/.build-id/\(byID).debug", "\(directory)/\(byID).debug"] }
            result +=
                (link.map { ["\(directory)/\($0)"] } ?? []) + ["\(directory)/\(name).debug", "\(directory)/\(name)"]
            if path.hasPrefix("/") { result.append(directory + path) }
        }
        if let link, path.hasPrefix("/") {
            result += ["\(folder)/\(link)", "\(folder)/.debug/\(link)", "\(Self.systemFolder)\(folder)/\(link)"]
        }
        if let byID { result.append("\(Self.systemFolder)/.build-id/\(byID).debug") }
        return result
    }

    /// `ab/cdef…`
    private static func path(of buildID: [UInt8]) -> String? {
        guard buildID.count > 1 else { return nil }
        let text = SymbolFile.text(of: buildID)
        return "\(text.prefix(2))/\(text.dropFirst(2))"
    }

    /// What a debuginfod server has for a build id: a file in the client's cache.
    func served(_ buildID: [UInt8]) -> String? {
        guard asksServers, !buildID.isEmpty, let client = Self.serverClient(),
            let answer = try? HelperProcess.run(
                client, ["debuginfo", SymbolFile.text(of: buildID)], hidesErrors: true), answer.code == 0
        else { return nil }
        let path = String(decoding: answer.output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return path.hasPrefix("/") ? path : nil
    }
}
