import Foundation
import GameprofAnalysis

/// The user's file of findings to leave out.
enum SuppressionFile {
    /// What the file at `path` names; nothing when there is no path.
    /// - Throws: `ToolError`.
    static func read(_ path: String?) throws -> [Suppression] {
        guard let path else { return [] }
        guard access(path, R_OK) == 0 else {
            throw ToolError(.wrongUsage, "\(path) cannot be read: \(String(cString: strerror(errno)).lowercased()).")
        }
        do {
            return try Suppression.read(path: path)
        } catch {
            throw ToolError(.wrongUsage, "\(error)")
        }
    }
}
