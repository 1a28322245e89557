import Foundation
import StaticFindingModel
import StaticLook

/// Sources in a folder of their own, which goes away with the value.
final class Sample {
    let folder: String

    init(_ files: [String: String]) throws {
        folder = NSTemporaryDirectory() + "gameprof-sample-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (name, text) in files { try text.write(toFile: path(name), atomically: true, encoding: .utf8) }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func path(_ name: String) -> String { "\(folder)/\(name)" }

    func look(cache: StaticFindingCache? = nil) throws -> StaticFindingList {
        try Analyzer(jobs: 2, cache: cache).analyze([folder])
    }

    /// A class whose one stored closure is written by the test.
    static func owner(_ closure: String) -> String {
        """
        final class Owner {
            var handler: (() -> Void)?
            var count = 0

            func start() {
                \(closure)
            }

            func step() -> Int { count }
        }

        func later(_ body: @escaping () -> Void) -> () -> Void { { body() } }

        func counting(_ body: @escaping () -> Int) -> () -> Void { { print(body()) } }
        """
    }
}
