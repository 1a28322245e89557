import Foundation
import Testing

@testable import GameprofTrace

@Suite("Sources of other packages")
struct PackageSourcesTests {
    @Test("packages by a path and edited ones are libraries, whatever stands in which folder; the program's own is not")
    func packagesOfABuild() throws {
        let root = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appending(path: "packages-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        // The engine is a package inside the game's, which stands inside of the tools'.
        let (game, engine) = (root.appending(path: "tools/game"), root.appending(path: "tools/game/Engine"))
        let edited = game.appending(path: "Packages/Net")
        let build = game.appending(path: ".build/x86_64-unknown-linux-gnu/debug")
        for folder in [engine, edited, build] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        for package in [root.appending(path: "tools"), game, engine, edited] {
            try Data().write(to: package.appending(path: "Package.swift"))
        }
        let state = """
            {"object": {"dependencies": [
                {"state": {"name": "fileSystem", "path": "\(engine.path)"}, "subpath": "engine"},
                {"state": {"name": "fileSystem", "path": "\(root.path)/tools"}, "subpath": "tools"},
                {"state": {"name": "edited", "path": null}, "subpath": "Net"},
                {"state": {"name": "sourceControlCheckout"}, "subpath": "swift-log"}
            ]}, "version": 7}
            """
        try Data(state.utf8).write(to: game.appending(path: ".build/workspace-state.json"))
        let packages = PackageSources(ofBuildOf: build.appending(path: "game").path)
        for other in [
            "\(engine.path)/Sources/Engine/Loop.swift", "\(edited.path)/Sources/Net/Socket.swift",
            "\(root.path)/tools/Sources/Tools/Tool.swift", "\(game.path)/.build/checkouts/swift-log/Log.swift",
        ] { #expect(packages.hold(other), "\(other)") }
        for own in ["\(game.path)/Sources/Game/main.swift", "/elsewhere/main.swift", "main.swift", nil] {
            #expect(!packages.hold(own), "\(own ?? "")")
        }
        let unknown = PackageSources(ofBuildOf: "/nowhere/game")
        #expect(
            !unknown.hold("\(engine.path)/Sources/Engine/Loop.swift")
                && unknown.hold("/b/checkouts/swift-log/Log.swift"))
    }
}
