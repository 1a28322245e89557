import Foundation

/// Finds Swift files below paths and groups them by module.
enum SourceFinder {
    struct ModuleFiles: Sendable {
        var name: String
        var files: [String]
    }

    private static let roots: Set<String> = ["Sources", "Tests", "Plugins", "Snippets"]
    private static let passedOver: Set<String> = [".build", ".git", "checkouts", "Pods", "DerivedData", "node_modules"]

    /// Groups in the order of their names, and sentences about what could not be entered below the paths.
    /// - Throws: `AnalyzerError` when one of the paths does not exist or cannot be read.
    static func modules(of paths: [String]) throws -> (modules: [ModuleFiles], problems: [String]) {
        var problems: [String] = []
        var groups: [String: Set<String>] = [:]
        for path in paths {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
                throw AnalyzerError(description: "\(path) does not exist.")
            }
            guard access(path, isFolder.boolValue ? R_OK | X_OK : R_OK) == 0 else {
                throw AnalyzerError(description: "\(path) cannot be read.")
            }
            if isFolder.boolValue {
                for file in files(below: path, &problems) {
                    groups[moduleFolder(of: file) ?? path, default: []].insert(file)
                }
            } else {
                groups[moduleFolder(of: path) ?? folder(of: path), default: []].insert(path)
            }
        }
        let modules = groups.map { ModuleFiles(name: $0.key, files: $0.value.sorted()) }.sorted { $0.name < $1.name }
        return (modules, problems)
    }

    /// What stands in front of the last slash. Foundation's function for this crashes on names of one character.
    static func folder(of path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
    }

    /// Everything below `Sources/Game` is one module.
    private static func moduleFolder(of file: String) -> String? {
        let parts = file.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard let root = parts.lastIndex(where: { roots.contains($0) }), root + 2 < parts.count else { return nil }
        return parts[...(root + 1)].joined(separator: "/")
    }

    /// Folders are not entered through links, so that none is entered twice.
    private static func files(below folder: String, _ problems: inout [String]) -> [String] {
        var result: [String] = []
        var waiting = [folder]
        while let next = waiting.popLast() {
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: next) else {
                problems.append("\(next) cannot be read.")
                continue
            }
            for name in names {
                let path = next.hasSuffix("/") ? next + name : "\(next)/\(name)"
                guard let kind = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
                else {
                    problems.append("\(path) cannot be read.")
                    continue
                }
                if kind == .typeDirectory {
                    if !passedOver.contains(name), !name.hasPrefix(".") { waiting.append(path) }
                } else if kind == .typeRegular, name.hasSuffix(".swift"), !isManifest(name) {
                    result.append(path)
                }
            }
        }
        return result
    }

    private static func isManifest(_ name: String) -> Bool {
        name == "Package.swift" || (name.hasPrefix("Package@swift-") && name.hasSuffix(".swift"))
    }
}
