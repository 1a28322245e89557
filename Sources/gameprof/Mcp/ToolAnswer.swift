import Foundation
import GameprofBasics

/// What gameprof answered to a command line, short enough for an agent to read: lists are cut, and say so.
struct ToolAnswer {
    var text: String
    var isError = false

    private typealias JSON = [String: Any]

    /// Bytes of the whole answer.
    private static let most = 24_000
    /// Rows that lists have at first; they have fewer where the answer would be too long.
    private static let mostRows = 50
    /// Rows that lists in the rows of a part keep.
    private static let leastInnerRows = 16
    /// Characters of what the program and gameprof printed.
    private static let mostPrinted = 2_000

    /// Runs this tool with the arguments, which end with the program's.
    /// - Parameters:
    ///   - part: a key of the result; nil: all of it.
    ///   - from: of a part that is a list, its first row.
    ///   - seconds: after which the program is asked to end.
    init(of arguments: [String], part: String?, from: Int, seconds: Int) {
        do {
            let folder = try PrivateFolder.temporary(for: "mcp", ProcessInfo.processInfo.environment)
            defer { folder.remove() }
            let result = folder.path + "/result.json"
            // Before the program's own arguments, and a page for nobody is not written.
            let own = arguments.firstIndex(of: "--") ?? arguments.count
            var words = arguments
            words.insert(contentsOf: ["--json", result], at: own)
            let (code, printed) = try Self.run(words, printingTo: folder.path + "/printed", seconds: seconds)
            guard let data = InputFile.contents(result),
                let whole = (try? JSONSerialization.jsonObject(with: data)) as? JSON
            else {
                (text, isError) = (printed.isEmpty ? "gameprof answered nothing (\(code))." : printed, true)
                return
            }
            let way = part?.split(separator: ".").map(String.init) ?? []
            let found = way.reduce(whole as Any?) { value, key in (value as? JSON)?[key] }
            guard let chosen = found else {
                let keys = whole.keys.sorted().joined(separator: ", ")
                (text, isError) = ("The result has no part \(PlainText.clean(part ?? "")); it has \(keys).", true)
                return
            }
            let rows = (chosen as? [Any]).map { Array($0.dropFirst(from)) as Any } ?? chosen
            text = Self.bounded(["exitCode": code, "printed": printed, part ?? "report": rows])
        } catch {
            (text, isError) = ("\(error)", true)
        }
    }

    private static func run(_ words: [String], printingTo path: String, seconds: Int) throws -> (
        code: Int, printed: String
    ) {
        FileManager.default.createFile(atPath: path, contents: nil)
        let output = try FileHandle(forWritingTo: URL(filePath: path))
        defer { try? output.close() }
        let process = Process()
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = words
        process.standardInput = FileHandle.nullDevice
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        // Passed on to the program, whose report is made then.
        let end = DispatchWorkItem { process.terminate() }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds), execute: end)
        process.waitUntilExit()
        end.cancel()
        let printed = String(decoding: InputFile.contents(path) ?? Data(), as: UTF8.self)
        return (Int(process.terminationStatus), String(printed.suffix(mostPrinted)))
    }

    private static func bounded(_ values: JSON) -> String {
        var rows = mostRows
        while true {
            // Rows of the part that was asked for are left out before rows inside of them.
            let text = encoded(
                values.mapValues { (value: Any) -> Any in
                    guard let list = value as? [Any] else { return cut(value, to: rows) }
                    return cut(list.map { cut($0, to: max(rows, leastInnerRows)) }, outer: rows)
                })
            if text.utf8.count <= most { return text }
            guard rows > 1 else { return listed(values) }
            rows /= 2
        }
    }

    /// How long the parts are, of which each can be asked for.
    private static func listed(_ values: JSON) -> String {
        let parts = values.values.compactMap { $0 as? JSON }.first ?? [:]
        return encoded([
            "exitCode": values["exitCode"] ?? 0, "printed": values["printed"] ?? "",
            "bytesOfParts": parts.mapValues { encoded([$0]).utf8.count },
        ])
    }

    private static func encoded(_ value: Any) -> String {
        let data = try? JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .withoutEscapingSlashes])
        return String(decoding: data ?? Data(), as: UTF8.self)
    }

    private static func cut(_ list: [Any], outer rows: Int) -> [Any] {
        list.count > rows ? list.prefix(rows) + ["… \(list.count - rows) more"] : list
    }

    private static func cut(_ value: Any, to rows: Int) -> Any {
        switch value {
        case let object as JSON: return object.mapValues { cut($0, to: rows) }
        case let list as [Any]:
            return cut(list.prefix(rows + 1).map { cut($0, to: rows) } + list.dropFirst(rows + 1), outer: rows)
        default: return value
        }
    }
}
