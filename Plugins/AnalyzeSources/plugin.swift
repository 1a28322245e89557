import Foundation
import PackagePlugin

/// `swift package analyze`: looks at the sources of every target, or of those named by `--target`. Other arguments go to
/// gameprof-analyze.
@main
struct AnalyzeSources: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        var extractor = ArgumentExtractor(arguments)
        let names = extractor.extractOption(named: "target")
        let targets = names.isEmpty ? context.package.targets : try context.package.targets(named: names)
        let folders = targets.compactMap { ($0 as? SwiftSourceModuleTarget)?.directoryURL.path }
        guard !folders.isEmpty else {
            Diagnostics.error("There are no Swift targets to look at.")
            return
        }
        guard let analyzer = InstalledAnalyzer.find() else {
            Diagnostics.error(InstalledAnalyzer.missing)
            return
        }
        let process = Process()
        process.executableURL = analyzer
        process.arguments = ["--format", "diagnostics"] + extractor.remainingArguments + ["--"] + folders
        try process.run()
        process.waitUntilExit()
        if process.terminationStatus != 0 {
            Diagnostics.error(
                process.terminationStatus == 1
                    ? "There are suspects of high confidence."
                    : "gameprof-analyze failed with \(process.terminationStatus).")
        }
    }
}
