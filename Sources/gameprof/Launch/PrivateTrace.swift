import Foundation
import GameprofBasics
import GameprofTrace

/// A trace that the tool itself makes of a running process or a core file, in a private folder, until it is kept or no longer needed.
final class PrivateTrace {
    let path: String
    private let folder: PrivateFolder
    private let lock: ToolLock?

    /// - Throws: `ToolError`: there is no place for it.
    init() throws {
        let use = "recording"
        let environment = ProcessInfo.processInfo.environment
        for use in [use, CoreOpening.use] { ToolLock.removeLeftovers(of: use, environment) }
        folder = try PrivateFolder.temporary(for: use, environment)
        path = "\(folder.path)/recording.gptrace"
        lock = ToolLock(trace: path)
    }

    /// Where it was kept, nothing of it is left.
    func remove() { folder.remove() }

    /// What a signal does from now on, as `Interruption`.
    func interruption() -> Interruption { Interruption(keeping: path, lock: ToolLock.path(of: path)) }

    /// Names its functions and puts it where it was asked for.
    /// - Throws: `ToolError`.
    func keep(as output: String, _ search: SymbolSearch, isQuiet: Bool) throws {
        do {
            let symbols = try SessionFinisher.symbols(of: path, search, isQuiet: isQuiet)
            try TraceFinisher.compress(path, into: URL(filePath: output).standardizedFileURL.path, symbols: symbols)
        } catch let error as TraceError {
            throw ToolError(.toolFailed, error.description)
        }
    }
}
