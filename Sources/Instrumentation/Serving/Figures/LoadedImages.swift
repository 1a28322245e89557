import Foundation
import GameprofBasics

/// An image as the loader has it in memory.
struct LoadedImage: Hashable {
    /// Its addresses, from the first segment to the end of the last.
    let extent: Range<UInt64>
    private let segments: [ELFFile.Segment]
    /// Their contents in memory, among them the build id; nil: the kernel does not permit to read them.
    private let notes: [[UInt8]?]

    private static let loadSegment: UInt32 = 1
    private static let noteSegment: UInt32 = 4
    private static let longestNote: UInt64 = 4096
    private static let page: UInt64 = 4096

    /// `read`: bytes of memory; nil: they cannot be read. Nil: no part of the image is loaded.
    init?(_ segments: [ELFFile.Segment], base: UInt64, read: (UInt64, Int) -> [UInt8]?) {
        let loaded = segments.filter { $0.type == Self.loadSegment }
        guard let start = loaded.map({ base &+ $0.address }).min(),
            let end = loaded.map({ base &+ $0.address &+ $0.fileSize }).max(), start < end
        else { return nil }
        extent = start & ~(Self.page - 1)..<end
        self.segments = segments
        notes = Self.notes(segments).map { read(base &+ $0.address, Int($0.fileSize)) }
    }

    private static func notes(_ segments: [ELFFile.Segment]) -> [ELFFile.Segment] {
        segments.filter { $0.type == noteSegment && $0.fileSize <= longestNote }
    }

    /// Whether it may have been loaded from a file with these contents: the same segments, and the same notes as far as they
    /// could be read.
    func isLoaded(from file: ELFFile) -> Bool {
        segments == file.segments
            && zip(Self.notes(segments), notes).allSatisfy { $1 == nil || file.contents(of: $0) == $1 }
    }

    /// Those of this process in the order of their addresses.
    static func now() -> [LoadedImage] {
        let memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
        defer { if memory >= 0 { close(memory) } }
        // The kernel reads: the image may be unloaded meanwhile.
        func read(_ address: UInt64, _ size: Int) -> [UInt8]? {
            var bytes = [UInt8](repeating: 0, count: size)
            return pread(memory, &bytes, size, off_t(truncatingIfNeeded: address)) == size ? bytes : nil
        }
        return ProgramHeaders.now().split()
            .compactMap { LoadedImage($0.segments, base: $0.base, read: read) }
            .sorted { $0.extent.lowerBound < $1.extent.lowerBound }
    }
}

/// The program headers (`Elf64_Phdr`) of the images of this process.
private struct ProgramHeaders {
    private var images = 0
    private var headers: [(image: Int, base: UInt64, segment: ELFFile.Segment)] = []
    /// What `headers` has room for.
    private var most = 0

    private static let size = 56
    /// Of `dl_phdr_info`: how many headers.
    private static let countOffset = 24

    /// Of images that are loaded between two looks some may be missing.
    static func now() -> ProgramHeaders {
        var found = ProgramHeaders()
        withUnsafeMutablePointer(to: &found) { found in
            iterateImages(
                { image, _, context in
                    let count = image?.load(fromByteOffset: ProgramHeaders.countOffset, as: UInt16.self) ?? 0
                    context?.assumingMemoryBound(to: ProgramHeaders.self).pointee.most += Int(count)
                    return 0
                }, found)
            found.pointee.headers.reserveCapacity(found.pointee.most)
            iterateImages(
                { image, _, context in
                    guard let image else { return 0 }
                    context?.assumingMemoryBound(to: ProgramHeaders.self).pointee.add(image)
                    return 0
                }, found)
        }
        return found
    }

    /// `image`: a `dl_phdr_info`. Allocates nothing: the loader's lock is held.
    private mutating func add(_ image: UnsafeRawPointer) {
        let base = image.load(as: UInt64.self)
        let count = Int(image.load(fromByteOffset: Self.countOffset, as: UInt16.self))
        guard let start = image.load(fromByteOffset: 16, as: UnsafeRawPointer?.self), count <= most - headers.count
        else { return }
        for at in stride(from: 0, to: count * Self.size, by: Self.size) {
            func word(_ offset: Int) -> UInt64 { start.loadUnaligned(fromByteOffset: at + offset, as: UInt64.self) }
            let segment = ELFFile.Segment(
                type: UInt32(truncatingIfNeeded: word(0)), flags: UInt32(truncatingIfNeeded: word(0) >> 32),
                offset: word(8), address: word(16), fileSize: word(32),
                memorySize: word(40))
            headers.append((images, base, segment))
        }
        images += 1
    }

    func split() -> [(base: UInt64, segments: [ELFFile.Segment])] {
        var result: [(base: UInt64, segments: [ELFFile.Segment])] = []
        var last: Int?
        for header in headers {
            if header.image != last { result.append((header.base, [])) }
            last = header.image
            result[result.count - 1].segments.append(header.segment)
        }
        return result
    }
}

/// `dl_iterate_phdr` of the C library, which its module shows to GNU sources alone.
@_silgen_name("dl_iterate_phdr") @discardableResult
private func iterateImages(
    _ visit: @convention(c) (UnsafeRawPointer?, Int, UnsafeMutableRawPointer?) -> CInt,
    _ context: UnsafeMutableRawPointer?
) -> CInt
