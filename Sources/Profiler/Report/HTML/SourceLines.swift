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

    /// What is shown of a file.
    enum Text {
        case lines([Substring])
        /// It was edited after the program was built.
        case edited
        /// It cannot be read, or is not to be shown.
        case unread
    }

    /// No source is shown.
    let areHidden: Bool
    private var files: [String: Text] = [:]
    /// When the program was built, in seconds since 1970; nil: not known.
    private let built: Double?

    init(builtAt seconds: Double? = nil, areHidden: Bool = false) {
        built = seconds
        self.areHidden = areHidden
    }

    /// The line without its indentation; nil when it cannot be read or is empty.
    func line(_ number: Int?, of path: String?) -> String? {
        guard let number, number > 0 else { return nil }
        switch text(of: path) {
        case .edited: return Self.edited
        case .lines(let lines) where number <= lines.count:
            let text = lines[number - 1].drop { $0 == " " || $0 == "\t" }
            return text.isEmpty ? nil : Self.cut(text)
        case .lines, .unread: return nil
        }
    }

    static func cut(_ line: Substring) -> String { TextTable.cut(String(line), lineLimit) }

    func text(of path: String?) -> Text {
        guard !areHidden, let path else { return .unread }
        if let known = files[path] { return known }
        guard files.count < Self.fileLimit else { return .unread }
        let text = readText(path)
        files[path] = text
        return text
    }

    private func readText(_ path: String) -> Text {
        guard let text = read(path) else { return .unread }
        if let built, let edited = Self.modified(path), edited > built { return .edited }
        // A form feed or a line separator ends no line for a compiler.
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            Substring($0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0)
        }
        return .lines(lines)
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
    convenience init(of report: Report, areHidden: Bool) {
        let started = report.environment["started"].flatMap { try? Date.ISO8601FormatStyle().parse($0) }
        // It is given in whole seconds.
        let recorded = started.map { $0.timeIntervalSince1970 + 1 }
        let written = Self.modified(report.target.executable)
        self.init(builtAt: [recorded, written].compactMap { $0 }.min(), areHidden: areHidden)
    }
}
