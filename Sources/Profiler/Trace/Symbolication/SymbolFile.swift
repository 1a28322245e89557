import Foundation
import GameprofBasics

/// The files that name the code of one image: its own, if it is still the one that was recorded, and the one with its
/// debug information. A file of another build is never used.
struct SymbolFile {
    /// The image's own file; nil: it is gone, or another build's.
    private(set) var own: ELFFile?
    /// The file with symbols and lines: `own`, or what was split off it; nil: there is none.
    private(set) var symbols: ELFFile?
    /// Why there is none, or less than there could be.
    private(set) var problem: String?
    /// What was found under its name and belongs to another build, as a sentence; nil: nothing, or better was found too.
    private(set) var stranger: String?
    /// Servers were asked for debug information, and nothing came.
    private(set) var isUnserved = false

    /// - Parameter recordedAt: when the recording began, in nanoseconds since 1970; 0: not known. An image without a build
    ///   id counts as another one when its file was written later.
    init(of record: ImageRecord, path: String, search: SymbolSearch, recordedAt: UInt64) {
        guard path.hasPrefix("/") else { return }
        var found = try? ELFFile(path: path)
        var isSame = found.map { Self.isRecorded($0, record, recordedAt) } ?? false
        if !isSame, let place = search.places[path], let file = try? ELFFile(path: place) {
            (found, isSame) = (file, Self.isRecorded(file, record, recordedAt))
        }
        own = isSame ? found : nil
        symbols = own
        var strangers: [String] = []
        if own?.hasDebugInformation != true {
            let link = own?.debugLink
            let candidates = search.candidates(of: path, buildID: record.buildID, link: link?.name)
            var better = Self.first(of: candidates, for: record, link: link, strangers: &strangers)
            if better?.hasDebugInformation != true, search.asksServers {
                let served = search.served(record.buildID).map { [$0] } ?? []
                better = Self.first(of: served, for: record, link: nil, strangers: &strangers) ?? better
                isUnserved = better?.hasDebugInformation != true
            }
            if let better,
                own == nil || better.hasDebugInformation || (better.hasSymbolTable && own?.hasSymbolTable != true)
            {
                symbols = better
            }
        }
        if symbols == nil { problem = found == nil ? Self.missing(path) : Self.rebuilt(path, record) }
        if symbols == nil || symbols?.path == own?.path {
            stranger = strangers.first.map { "\($0) is of another build than the recorded \(path) and was not used." }
        }
    }

    private static func missing(_ path: String) -> String {
        "The symbols of \(path) cannot be read, so its functions have no names."
    }

    private static func rebuilt(_ path: String, _ record: ImageRecord) -> String {
        let build = record.buildID.isEmpty ? "" : " (build id \(text(of: record.buildID)))"
        return "\(path) was rebuilt after the recording, so its functions have no names. A folder with the recorded "
            + "build\(build) can be named: --symbols FOLDER. gameprof symbolicate, before a rebuild, stores the names in the "
            + "trace; a linked recording has none by itself."
    }

    /// Hexadecimal.
    static func text(of buildID: [UInt8]) -> String {
        buildID.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func hasID(_ file: ELFFile, _ record: ImageRecord) -> Bool {
        // A record has room for 31 bytes.
        file.buildID.prefix(31) == record.buildID.prefix(31)
    }

    private static func isRecorded(_ file: ELFFile, _ record: ImageRecord, _ recordedAt: UInt64) -> Bool {
        guard record.buildID.isEmpty else { return hasID(file, record) }
        var status = stat()
        guard recordedAt > 0, stat(file.path, &status) == 0 else { return true }
        return UInt64(clamping: status.st_mtim.tv_sec) <= recordedAt / 1_000_000_000
    }

    /// The first file with debug information that belongs to the image, else the first with symbols, else the first: it has
    /// what it exports.
    private static func first(
        of candidates: [String], for record: ImageRecord, link: (name: String, checksum: UInt32)?,
        strangers: inout [String]
    ) -> ELFFile? {
        var named: ELFFile?
        for path in candidates {
            guard access(path, R_OK) == 0, let file = try? ELFFile(path: path) else { continue }
            guard belongs(file, record, link?.checksum) else {
                strangers.append(path)
                continue
            }
            if file.hasDebugInformation { return file }
            if named == nil || (file.hasSymbolTable && named?.hasSymbolTable != true) { named = file }
        }
        return named
    }

    /// By the build id, or by the check sum of the link where the image has no build id.
    private static func belongs(_ file: ELFFile, _ record: ImageRecord, _ checksum: UInt32?) -> Bool {
        record.buildID.isEmpty ? checksum.map { $0 == CRC32.of(file.data) } ?? false : hasID(file, record)
    }
}

/// The check sum of `.gnu_debuglink`: CRC-32 of ISO 3309.
enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xedb8_8320 : sum >> 1 }
    }

    static func of(_ data: Data) -> UInt32 {
        data.withUnsafeBytes { bytes in
            ~bytes.reduce(~0) { sum, byte in sum >> 8 ^ table[Int((sum ^ UInt32(byte)) & 0xff)] }
        }
    }
}
