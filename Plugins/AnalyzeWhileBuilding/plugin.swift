import Foundation
import PackagePlugin

/// Warns in the build log: runs before each build whose sources changed, and never fails the build.
@main
struct AnalyzeWhileBuilding: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
        guard let target = target as? SwiftSourceModuleTarget else { return [] }
        let sources = target.sourceFiles(withSuffix: "swift").map(\.url)
        guard !sources.isEmpty else { return [] }
        guard let analyzer = InstalledAnalyzer.find() else {
            Diagnostics.remark(InstalledAnalyzer.missing)
            return []
        }
        let folder = context.pluginWorkDirectoryURL
        // What is no Swift file would become a resource of the target.
        let stamp = folder.appending(path: "SuspectsLookedFor.swift")
        return [
            .buildCommand(
                displayName: "Looking for suspects in \(target.name)", executable: analyzer,
                arguments: [
                    "--format", "diagnostics", "--exit-zero", "--stamp", stamp.path, "--cache",
                    folder.appending(path: "cache").path, "--",
                ] + sources.map(\.path),
                inputFiles: sources, outputFiles: [stamp])
        ]
    }
}
