import Foundation
import GameprofBasics
import GameprofCheck

/// The file of accepted findings and measures, which several checks may update at once: jobs of one build, each with a
/// scenario of its own.
struct BaselineFile {
    var path: String

    /// Replaces what the file holds of these scenarios, and keeps what others have written of others meanwhile.
    func update(_ scenarios: [String: Baseline.Scenario]) throws {
        let folder = open(PrivateFolder.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(folder) }
        if folder >= 0 { flock(folder, LOCK_EX) }
        var baseline = access(path, F_OK) == 0 ? try Baseline.read(path: path) : Baseline()
        baseline.scenarios.merge(scenarios) { $1 }
        try AtomicFile.write(try baseline.render(), to: path, needsFile: true, isForOthers: true)
    }
}
