import Foundation

/// Finds Swift files below paths and groups them by module.
enum SourceFinder {
    struct ModuleFiles: Sendable {
        var name: String
        var files: [String]
    }

    private static let roots: Set<String> = ["Sources", "Tests", "Plugins", "Snippets"]
    private static let passedOver: Set<String> = [".build", ".git", "checkouts", "Pods", "DerivedData", "node_modules"]

    /// Groups in the order of their names.
    static func modules(of paths: [String]) throws -> [ModuleFiles] {
        var groups: [String: Set<String>] = [:]
        for path in paths {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
                throw AnalyzerError(description: "\(path) does not exist.")
            }
            if isFolder.boolValue {
                for file in files(below: path) {
                    groups[moduleFolder(of: file) ?? path, default: []].insert(file)
                }
            } else {
                let folder = (path as NSString).deletingLastPathComponent
                groups[moduleFolder(of: path) ?? folder, default: []].insert(path)
            }
        }
        return groups.map { ModuleFiles(name: $0.key, files: $0.value.sorted()) }.sorted { $0.name < $1.name }
    }

    /// Everything below `Sources/Game` is one module.
    private static func moduleFolder(of file: String) -> String? {
        let parts = file.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard let root = parts.lastIndex(where: { roots.contains($0) }), root + 2 < parts.count else { return nil }
        return parts[...(root + 1)].joined(separator: "/")
    }

    /// Folders are not entered through links, so that none is entered twice.
    private static func files(below folder: String) -> [String] {
        var result: [String] = []
        var waiting = [folder]
        while let next = waiting.popLast() {
            for name in (try? FileManager.default.contentsOfDirectory(atPath: next)) ?? [] {
                let path = next.hasSuffix("/") ? next + name : "\(next)/\(name)"
                guard let kind = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
                else { continue }
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
