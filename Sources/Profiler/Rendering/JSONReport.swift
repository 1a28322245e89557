import Foundation
import GameprofBasics
import GameprofReportModel

/// The report as JSON with sorted keys: equal reports are equal bytes.
public enum JSONReport {
    /// Ends with a newline.
    public static func render(_ report: Report) throws -> String { try encode(report) }

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
        let report = try JSONDecoder().decode(Report.self, from: Data(json.utf8))
        guard report.schema == "gameprof-report" else { throw ReportError.otherSchema(report.schema) }
        guard report.version == 1 else { throw ReportError.otherVersion(report.version) }
        return report
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
        case .otherSchema(let schema): "This is no report of gameprof but \(PlainText.clean(schema))."
        case .otherVersion(let version): "The report has version \(version), this gameprof reads version 1."
        case .excessiveNumber(let number): "The number \(PlainText.clean(number)) is no figure of a report."
        case .pageTooLarge(let bytes):
            "The page would be \(NumberFormat.bytes(UInt64(bytes))) even with everything left out."
        }
    }
}
