import Foundation
import GameprofBasics

/// A regular file, mapped.
final class FileBytes {
    let path: String
    let bytes: UnsafeRawBufferPointer
    /// Offsets of what the file does not store, by offset: zeros.
    private var holes: [Range<UInt64>] = []

    init(path: String) throws(RegularFile.Refusal) {
        self.path = path
        bytes = try RegularFile.map(path)
        if let file = try? RegularFile.open(path) {
            findHoles(file.descriptor)
            close(file.descriptor)
        }
    }

    private func findHoles(_ descriptor: CInt) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_blocks * 512 < status.st_size else { return }
        let (seekData, seekHole): (CInt, CInt) = (3, 4)
        var at: off_t = 0
        while case let hole = lseek(descriptor, at, seekHole), hole >= 0, hole < bytes.count {
            let data = lseek(descriptor, hole, seekData)
            at = data > hole ? data : off_t(bytes.count)
            holes.append(UInt64(hole)..<UInt64(at))
        }
    }

    deinit {
        if let address = bytes.baseAddress { munmap(UnsafeMutableRawPointer(mutating: address), bytes.count) }
    }

    /// Gives the memory back that reading has taken; what is read again comes from the file again.
    func forget() {
        if let address = bytes.baseAddress {
            madvise(UnsafeMutableRawPointer(mutating: address), bytes.count, MADV_DONTNEED)
        }
    }

    /// What of a range the file does not store, as addresses of the memory that begins with it.
    func holes(_ offset: UInt64, count: UInt64, at start: UInt64) -> [Range<UInt64>] {
        let range = offset..<offset + min(count, UInt64(bytes.count) - min(offset, UInt64(bytes.count)))
        let first = partition(0..<holes.count) { holes[$0].upperBound > range.lowerBound }
        return holes[first...].prefix { $0.lowerBound < range.upperBound }.map {
            let part = $0.clamped(to: range)
            return start + (part.lowerBound - offset)..<start + (part.upperBound - offset)
        }
    }

    /// As far as the file reaches.
    func range(_ offset: UInt64, count: UInt64) -> UnsafeRawBufferPointer {
        let size = UInt64(bytes.count)
        guard offset < size else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(rebasing: bytes[Int(offset)..<Int(offset + min(count, size - offset))])
    }
}

/// Numbers of a file, little endian; nil for what lies outside.
package struct FileNumbers: ELFSource {
    let bytes: UnsafeRawBufferPointer

    package init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    package func u16(_ offset: UInt64) -> UInt16? { load(offset) }
    package func u32(_ offset: UInt64) -> UInt32? { load(offset) }
    package func u64(_ offset: UInt64) -> UInt64? { load(offset) }

    package func bytes(_ offset: UInt64, count: UInt64) -> [UInt8]? {
        guard offset <= UInt64(bytes.count), count <= UInt64(bytes.count) - offset else { return nil }
        return Array(bytes[Int(offset)..<Int(offset + count)])
    }

    private func load<T: FixedWidthInteger & BitwiseCopyable>(_ offset: UInt64) -> T? {
        let (size, count) = (UInt64(MemoryLayout<T>.size), UInt64(bytes.count))
        guard count >= size, offset <= count - size else { return nil }
        return bytes.loadUnaligned(fromByteOffset: Int(offset), as: T.self)
    }
}
