import Foundation
import GameprofBasics
import StaticFindingModel

/// The bytes of a file, or why they were not read.
struct SourceText: Sendable {
    /// Files beyond this size are passed over: they are data, and reading them takes a hundred times their size.
    static let sizeLimit = 4 << 20

    var path: String
    var bytes: [UInt8] = []
    var hash = ""
    var problem: String?

    var lineCount: Int { bytes.isEmpty ? 0 : bytes.count { $0 == 0x0A } + (bytes.last == 0x0A ? 0 : 1) }

    static func read(_ path: String) -> SourceText {
        var text = SourceText(path: path)
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            let size = (attributes[.size] as? NSNumber)?.intValue
        else {
            text.problem = "\(path) cannot be read."
            return text
        }
        guard size <= sizeLimit else {
            text.problem = "\(path) was passed over: it has \(size) bytes, more than \(sizeLimit)."
            return text
        }
        guard let data = RegularFile.contents(path, limit: sizeLimit) else {
            text.problem = "\(path) cannot be read."
            return text
        }
        text.bytes = Array(data)
        text.hash = ContentHash.of(text.bytes)
        return text
    }
}
