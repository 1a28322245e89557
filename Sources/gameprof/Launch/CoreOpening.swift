import Foundation
import GameprofBasics
import GameprofHeap
import GameprofTrace

/// Opens core files. One that is compressed is decompressed into a private temporary file, which is gone as soon as it is open.
enum CoreOpening {
    static let use = "core"

    /// Endings of compressed core files, and how such files begin.
    private static let packings: [(ending: String, name: String, head: [UInt8])] = [
        ("xz", "xz", [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]), ("lz4", "lz4", [0x04, 0x22, 0x4d, 0x18]),
        ("gz", "gzip", [0x1f, 0x8b]),
    ]

    /// A core file, or a damaged one: nothing that could be started has such a name, as `core.1234`, or systemd-coredump's
    /// `core.game.1000.….1234.….zst`.
    static func isCore(_ path: String) -> Bool {
        let name = URL(filePath: path).lastPathComponent.split(separator: ".", omittingEmptySubsequences: false)
        let isPacked = name.count > 2 && (["zst"] + packings.map(\.ending)).contains { $0 == name[name.count - 1] }
        let isNamedCore =
            name[0] == "core" && (isPacked || name.count == 1 || name[1...].allSatisfy { UInt64($0) != nil })
        return CoreFile.isCore(path) || PackedCore.isCore(path)
            || isNamedCore && access(path, F_OK) == 0 && access(path, X_OK) != 0
    }

    /// - Throws: `MemoryImageError`, `ToolError`.
    static func open(_ path: String, program: String?, _ search: SymbolSearch, isQuiet: Bool) throws -> CoreFile {
        let head = RegularFile.prefix(path, count: 8) ?? Data()
        if let packing = packings.first(where: { head.starts(with: $0.head) }) {
            throw MemoryImageError(
                isInput: true,
                "\(path) is compressed with \(packing.name), and gameprof reads core files of zstd alone; decompress it, or "
                    + "write it anew with coredumpctl dump.")
        }
        guard ZstdStream.isPacked(head) else {
            return try CoreFile(path: path, program: program, folders: search.folders)
        }
        let environment = ProcessInfo.processInfo.environment
        ToolLock.removeLeftovers(of: use, environment)
        let folder = try PrivateFolder.temporary(for: use, environment)
        defer { folder.remove() }
        let unpacked = "\(folder.path)/core"
        let lock = ToolLock(trace: unpacked)
        defer { withExtendedLifetime(lock) {} }
        let progress = Progress("Decompressing the core file", isQuiet: isQuiet)
        defer { progress.clear() }
        try PackedCore.unpack(path, to: unpacked) { progress.show($0) }
        return try CoreFile(path: unpacked, program: program, folders: search.folders, called: path)
    }
}
