import Foundation
import GameprofAnalysis
import GameprofBasics

/// Lines of the user's source files, read when the report is made. Only regular files that look like source are read:
/// the paths come from the recorded program.
final class SourceLines {
    private static let extensions: Set<String> = ["swift", "c", "h", "cc", "cpp", "cxx", "hpp", "m", "mm"]
    private static let sizeLimit = 4 << 20
    private static let lineLimit = 160
    private static let fileLimit = 200

    /// What stands for a line of a file that was edited: there may be another line in its place.
    static let edited = "(edited since the build)"

    /// Nil: the file was edited after the program was built.
    private var files: [String: [Substring]?] = [:]
    /// When the program was built, in seconds since 1970; nil: not known.
    private let built: Double?

    init(builtAt seconds: Double? = nil) { built = seconds }

    /// The line without its indentation; nil when it cannot be read or is empty.
    func line(_ number: Int?, of path: String?) -> String? {
        guard let path, let number, number > 0 else { return nil }
        guard let lines = lines(of: path) else { return Self.edited }
        guard number <= lines.count else { return nil }
        let text = lines[number - 1].drop { $0 == " " || $0 == "\t" }
        return text.isEmpty ? nil : TextTable.cut(String(text), Self.lineLimit)
    }

    private func lines(of path: String) -> [Substring]? {
        if let known = files[path] { return known }
        guard files.count < Self.fileLimit else { return [] }
        if let built, let edited = Self.modified(path), edited > built {
            files[path] = .some(nil)
            return nil
        }
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

    /// In seconds since 1970.
    private static func modified(_ path: String) -> Double? {
        var status = stat()
        guard path.hasPrefix("/"), stat(path, &status) == 0 else { return nil }
        return Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9
    }
}

extension SourceLines {
    /// Those of a report: its program was built when its file was written, but before it was recorded.
    convenience init(of report: Report) {
        let started = report.environment["started"].flatMap { try? Date.ISO8601FormatStyle().parse($0) }
        // It is given in whole seconds.
        let recorded = started.map { $0.timeIntervalSince1970 + 1 }
        let written = Self.modified(report.target.executable)
        self.init(builtAt: [recorded, written].compactMap { $0 }.min())
    }
}
