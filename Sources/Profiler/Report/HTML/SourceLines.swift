import Foundation
import GameprofBasics

/// Lines of the user's source files, read when the report is made. Only regular files that look like source are read:
/// the paths come from the recorded program.
final class SourceLines {
    private static let extensions: Set<String> = ["swift", "c", "h", "cc", "cpp", "cxx", "hpp", "m", "mm"]
    private static let sizeLimit = 4 << 20
    private static let lineLimit = 160
    private static let fileLimit = 200

    private var files: [String: [Substring]] = [:]

    /// The line without its indentation; nil when it cannot be read or is empty.
    func line(_ number: Int?, of path: String?) -> String? {
        guard let path, let number, number > 0 else { return nil }
        let lines = lines(of: path)
        guard number <= lines.count else { return nil }
        let text = lines[number - 1].drop { $0 == " " || $0 == "\t" }
        return text.isEmpty ? nil : TextTable.cut(String(text), Self.lineLimit)
    }

    private func lines(of path: String) -> [Substring] {
        if let known = files[path] { return known }
        guard files.count < Self.fileLimit else { return [] }
        // A form feed or a line separator ends no line for a compiler.
        let text = read(path) ?? ""
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            Substring($0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0)
        }
        files[path] = lines
        return lines
    }

    private func read(_ path: String) -> String? {
        let url = URL(fileURLWithPath: path)
        guard path.hasPrefix("/"), Self.extensions.contains(url.pathExtension.lowercased()),
            let bytes = RegularFile.contents(path, limit: Self.sizeLimit)
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
