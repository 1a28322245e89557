import Foundation
import GameprofBasics
import GameprofTrace

/// A core file that is compressed with zstd, as systemd-coredump keeps it (`core.*.zst`).
package enum PackedCore {
    private static let pieceBytes = 1 << 20
    /// What is zero is not written where it fills so much: the file has holes there.
    private static let blockBytes = 1 << 16
    /// Room on the disk that is left for others, and bytes after which it is looked at again.
    private static let (leastFree, checkedBytes): (UInt64, UInt64) = (256 << 20, 64 << 20)

    /// Whether the file at `path` is one once it is decompressed.
    package static func isCore(_ path: String) -> Bool {
        guard let packed = RegularFile.prefix(path, count: 1 << 17), ZstdStream.isPacked(packed),
            let stream = ZstdStream()
        else { return false }
        var head = [UInt8](repeating: 0, count: 18)
        var filled = 0
        packed.withUnsafeBytes { packed in
            var rest = packed[...]
            while filled < head.count, !rest.isEmpty {
                let step = head.withUnsafeMutableBytes { room in
                    stream.next(
                        UnsafeRawBufferPointer(rebasing: rest), into: .init(rebasing: room[filled...]))
                }
                guard let step, step.taken > 0 || step.given > 0 else { break }
                rest = rest.dropFirst(step.taken)
                filled += step.given
            }
        }
        return filled == head.count && CoreFile.isHead(head)
    }

    /// Decompresses the file at `path` into a new one. What is cut off is decompressed as far as it reaches.
    /// - Parameter progress: receives a share from 0 to 1 now and then.
    package static func unpack(
        _ path: String, to target: String, progress: (Double) -> Void = { _ in }
    ) throws(MemoryImageError) {
        let packed: UnsafeRawBufferPointer
        do { packed = try RegularFile.map(path) } catch {
            throw MemoryImageError(isInput: true, "\(path) cannot be read: \(error.reason).")
        }
        defer { munmap(UnsafeMutableRawPointer(mutating: packed.baseAddress), packed.count) }
        do {
            let file = try OutputFile(path: target, isNew: true)
            try write(packed, to: file, called: path, progress)
            try file.close()
        } catch let error as MemoryImageError {
            throw error
        } catch let error as TraceError {
            guard case .unwritable(_, let reason) = error else { throw MemoryImageError(error.description) }
            throw MemoryImageError(
                "\(path) cannot be decompressed into \(PrivateFolder.folder(of: target)): \(reason).")
        } catch {
            throw MemoryImageError("\(path) cannot be decompressed.")
        }
    }

    private static func write(
        _ packed: UnsafeRawBufferPointer, to file: OutputFile, called path: String, _ progress: (Double) -> Void
    ) throws {
        guard let stream = ZstdStream() else { throw MemoryImageError("There is no memory to decompress \(path).") }
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceBytes, alignment: 16)
        defer { piece.deallocate() }
        var (taken, filled) = (0, 0)
        var (size, unchecked): (UInt64, UInt64) = (0, .max)
        var isStored = true
        while true {
            let rest = UnsafeRawBufferPointer(rebasing: packed[taken...])
            guard let step = stream.next(rest, into: UnsafeMutableRawBufferPointer(rebasing: piece[filled...])) else {
                throw MemoryImageError(isInput: true, "\(path) is damaged: it cannot be decompressed.")
            }
            taken += step.taken
            filled += step.given
            let isOver = step.taken == 0 && step.given == 0
            guard filled == piece.count || isOver else { continue }
            if unchecked >= checkedBytes {
                try checkRoom(for: path, in: PrivateFolder.folder(of: file.path))
                unchecked = 0
            }
            for start in stride(from: 0, to: filled, by: blockBytes) {
                let block = UnsafeRawBufferPointer(rebasing: piece[start..<min(start + blockBytes, filled)])
                isStored = !isZero(block)
                guard isStored else { continue }
                try file.write(block, at: size + UInt64(start))
                unchecked += UInt64(block.count)
            }
            size += UInt64(filled)
            filled = 0
            progress(Double(taken) / Double(packed.count))
            if isOver { break }
        }
        if !isStored { try withUnsafeBytes(of: UInt8(0)) { try file.write($0, at: size - 1) } }
    }

    private static func isZero(_ block: UnsafeRawBufferPointer) -> Bool {
        guard let start = block.baseAddress, block[0] == 0 else { return false }
        return memcmp(start, start + 1, block.count - 1) == 0
    }

    /// - Throws: where the disk would be full.
    private static func checkRoom(for path: String, in folder: String) throws(MemoryImageError) {
        var room = statvfs()
        guard statvfs(folder, &room) == 0 else { return }
        let free = UInt64(room.f_bavail) &* UInt64(room.f_frsize)
        guard free < leastFree + checkedBytes else { return }
        throw MemoryImageError(
            "\(path) cannot be decompressed: \(NumberFormat.bytes(free)) are free in \(PrivateFolder.folder(of: folder)), and "
                + "\(NumberFormat.bytes(leastFree)) are left for others; name a folder with more room by TMPDIR.")
    }
}
