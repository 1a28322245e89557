import Foundation
import GameprofBasics

/// What the tool prints where it was asked to: reports and tables.
enum StandardOutput {
    /// Writes all of it, or throws: what could not be written was not reported.
    static func write(_ text: String) throws { try write(Array(text.utf8)) }

    /// The same with bytes.
    static func write(_ bytes: [UInt8]) throws {
        guard PipeOutput.write(bytes, to: STDOUT_FILENO) else {
            throw ToolError(.toolFailed, "Standard output cannot be written: \(systemReason()).")
        }
    }
}
