import Foundation
import GameprofAnalysis
import GameprofBasics

/// The report as JSON with sorted keys: equal reports are equal bytes.
public enum JSONReport {
    /// In the version that the report names. Version 1 writes every stack in full, version 2 each stack and each frame once,
    /// without indentation. Ends with a newline.
    public static func render(_ report: Report) throws -> String {
        guard report.version > 1 else { return try encode(report) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let table = StackTable()
        encoder.userInfo[StackTable.key] = table
        return String(decoding: try encoder.encode(WithTable(report: report, table: table)), as: UTF8.self) + "\n"
    }

    private struct WithTable: Encodable {
        var report: Report
        var table: StackTable

        /// The report fills the table.
        func encode(to encoder: any Encoder) throws {
            try report.encode(to: encoder)
            try table.encode(to: encoder)
        }
    }

    /// Any report value. Ends with a newline.
    public static func encode(_ report: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(report), as: UTF8.self) + "\n"
    }

    /// Reads a report. Throws when it is no report, of a version that this one does not know, or holds a number that nothing
    /// counts.
    public static func read(_ json: String) throws -> Report {
        if let number = JSONNumbers.excessive(in: json) { throw ReportError.excessiveNumber(number) }
        let data = Data(json.utf8)
        let decoder = JSONDecoder()
        let head = try decoder.decode(Head.self, from: data)
        guard head.schema == "gameprof-report" else { throw ReportError.otherSchema(head.schema) }
        guard (1...Report.newestVersion).contains(head.version) else { throw ReportError.otherVersion(head.version) }
        if head.version > 1 { decoder.userInfo[StackTable.key] = try decoder.decode(StackTable.self, from: data) }
        return try decoder.decode(Report.self, from: data)
    }

    private struct Head: Decodable {
        var schema: String
        var version: Int
    }
}

/// Why a report could not be read or made.
public enum ReportError: Error, CustomStringConvertible, Equatable {
    case otherSchema(String)
    case otherVersion(Int)
    case excessiveNumber(String)
    case pageTooLarge(Int)

    public var description: String {
        switch self {
        case .otherSchema(let schema): "This is not a gameprof report but \(PlainText.clean(schema))."
        case .otherVersion(let version):
            "The report has version \(version), but this gameprof reads versions 1 and \(Report.newestVersion)."
        case .excessiveNumber(let number): "The number \(PlainText.clean(number)) is not valid in a report."
        case .pageTooLarge(let bytes):
            "The page would be \(NumberFormat.bytes(UInt64(bytes))) even with everything left out."
        }
    }
}
