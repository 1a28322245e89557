import Foundation
import GameprofBasics

/// Which source files belong to packages that a program is built with and not to the package itself: as the program's build
/// describes it (`workspace-state.json` of SwiftPM, beside or above the executable), where that is still there.
final class PackageSources {
    /// Folders of the dependencies that are not checked out below the build: by a path, and edited.
    private let folders: Set<String>
    private var known: [String: Bool] = [:]

    /// Levels from `.build/x86_64-unknown-linux-gnu/debug/game` up to `.build`, and one more.
    private static let levels = 4
    private static let stateLimit = 16 << 20

    init(ofBuildOf executable: String) {
        var folder = URL(filePath: executable).resolvingSymlinksInPath()
        var state: Data?
        for _ in 0..<Self.levels where state == nil {
            folder.deleteLastPathComponent()
            state = RegularFile.contents(folder.appending(path: "workspace-state.json").path, limit: Self.stateLimit)
        }
        let workspace = state.flatMap { try? JSONDecoder().decode(Workspace.self, from: $0) }
        let package = folder.deletingLastPathComponent()
        folders = Set(
            (workspace?.object.dependencies ?? []).flatMap { dependency -> [String] in
                guard let path = dependency.folder(in: package) else { return [] }
                return [path.standardizedFileURL.path, path.resolvingSymlinksInPath().path]
            })
    }

    /// Whether a file is of another package than the program's.
    func hold(_ file: String?) -> Bool {
        guard let file else { return false }
        if file.contains("/checkouts/") { return true }
        guard !folders.isEmpty, file.hasPrefix("/") else { return false }
        let folder = (file as NSString).deletingLastPathComponent
        if let answer = known[folder] { return answer }
        let answer = isOfDependency(folder)
        known[folder] = answer
        return answer
    }

    /// The nearest folder with a manifest decides: packages stand inside of others.
    private func isOfDependency(_ folder: String) -> Bool {
        var folder = folder
        while folder.count > 1 {
            if folders.contains(folder) { return true }
            if access(folder + "/Package.swift", F_OK) == 0 { return false }
            folder = (folder as NSString).deletingLastPathComponent
        }
        return false
    }

    private struct Workspace: Decodable {
        struct Object: Decodable { var dependencies: [Dependency] }
        var object: Object
    }

    private struct Dependency: Decodable {
        struct State: Decodable {
            var name: String
            var path: String?
        }
        var state: State
        var subpath: String?

        func folder(in package: URL) -> URL? {
            switch state.name {
            case "fileSystem": state.path.map { URL(filePath: $0) }
            case "edited":
                state.path.map { URL(filePath: $0) }
                    ?? subpath.map { package.appending(path: "Packages").appending(path: $0) }
            default: nil
            }
        }
    }
}
