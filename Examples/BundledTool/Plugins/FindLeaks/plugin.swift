import Foundation
import PackagePlugin

@main
struct FindLeaks: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        let build = try packageManager.build(.product("Season"), parameters: .init(configuration: .release))
        guard build.succeeded, let program = build.builtArtifacts.first(where: { $0.kind == .executable }) else {
            return Diagnostics.error("Season cannot be built.\n\(build.logText)")
        }
        let tool = Process()
        tool.executableURL = try context.tool(named: "gameprof").url
        let page = context.pluginWorkDirectoryURL.appending(path: "leaks.html")
        tool.arguments = ["leaks", "--html", page.path] + arguments + ["--", program.url.path]
        try tool.run()
        tool.waitUntilExit()
        if tool.terminationStatus != 0 { Diagnostics.error("gameprof leaks ended with \(tool.terminationStatus).") }
    }
}
