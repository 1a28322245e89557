import CRecorderCFI
import Foundation
import GameprofBasics
import GameprofHeap
import GameprofTrace

/// An executable or a library of another process: what of it can be read and is not written, copied into this process, where the
/// unwinder looks for its call frame information. All numbers of its file are believed only within that copy.
final class LoadedImage {
    let record: ImageRecord
    /// Where `file` can be opened as long as the process lives; nil: nowhere.
    let openPath: String?
    private(set) var layout: gp_image_info
    /// What leads from an address of the process to the same place in the copy.
    private let shift: UInt
    private let memory: UnsafeMutableRawPointer?
    private let size: Int

    /// What no image takes: addresses of a file that was made to seem larger.
    private static let mostBytes: UInt64 = 1 << 32
    /// What is read of a file for its headers and notes.
    private static let headerBytes = 1 << 16

    /// - Parameters:
    ///   - head: the mapping in which the image begins.
    ///   - read: the bytes of the file at an offset, as many as could be read.
    init?(head: MemoryImage.Mapping, openPath: String?, read: (UInt64, UnsafeMutableRawBufferPointer) -> Int) {
        let header = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.headerBytes, alignment: 16)
        defer { header.deallocate() }
        let file = FileNumbers(bytes: UnsafeRawBufferPointer(rebasing: header[..<read(0, header)]))
        guard file.u32(0) == 0x464c_457f, let type = file.u16(16), type == 2 || type == 3 else { return nil }
        let segments = file.segments()
        let loads = segments.filter { $0.type == 1 && $0.memorySize > 0 && $0.address < 1 << 47 }
        guard let first = loads.map({ $0.address & ~0xfff }).min(),
            let last = loads.map({ $0.address &+ min($0.memorySize, Self.mostBytes) }).max(),
            last - first <= Self.mostBytes
        else { return nil }
        let bias = head.start &- first
        guard head.start <= 1 << 47 else { return nil }
        let size = Int((last - first + 0xfff) & ~0xfff)
        self.size = size
        let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | 0x4000, -1, 0)
        guard let memory, memory != MAP_FAILED else { return nil }
        self.memory = memory
        self.openPath = openPath
        shift = UInt(bitPattern: memory) &- UInt(head.start)
        var layout = gp_image_info()
        layout.bias = UInt(truncatingIfNeeded: bias) &+ shift
        layout.start = UInt(bitPattern: memory)
        layout.end = layout.start + UInt(size)
        var copied: [gp_segment] = []
        for load in loads where load.flags & 2 == 0 && load.flags & 4 != 0 && copied.count < Int(GP_IMAGE_SEGMENTS) {
            let offset = Int(load.address - first)
            let room = UnsafeMutableRawBufferPointer(
                start: memory + offset, count: Int(min(load.fileSize, load.memorySize, UInt64(size - offset))))
            let done = read(load.offset, room)
            guard done > 0 else { continue }
            let start = UInt(bitPattern: memory + offset)
            copied.append(gp_segment(start: start, end: start + UInt(done), flags: load.flags))
        }
        withUnsafeMutableBytes(of: &layout.segments) { room in
            copied.withUnsafeBytes { room.copyMemory(from: $0) }
        }
        layout.segment_count = UInt32(copied.count)
        // PT_GNU_EH_FRAME
        let frames = segments.first { $0.type == 0x6474_e550 }
        layout.eh_frame = frames.map { layout.bias &+ UInt(truncatingIfNeeded: $0.address) } ?? 0
        self.layout = layout
        let text = loads.first { $0.flags & 1 != 0 }
        record = ImageRecord(
            path: ProcessImages.name(head.file), bias: bias, start: head.start, end: head.start &+ (last - first),
            textStart: text.map { bias &+ $0.address } ?? 0,
            textEnd: text.map { bias &+ $0.address &+ $0.memorySize } ?? 0,
            buildID: segments.lazy.filter { $0.type == 4 }
                .compactMap { file.buildID(inNotesAt: $0.offset, size: $0.fileSize) }.first ?? [])
    }

    deinit { if let memory { munmap(memory, size) } }

    func contains(_ address: UInt) -> Bool {
        address >= UInt(record.start) && address < UInt(record.end)
    }

    /// The rule at a place of the process: of an instruction of its own when `exact`. 0: there is no code.
    func rule(at place: UInt, exact: Bool) -> UInt64 {
        gp_image_has_code(&layout, place &+ shift, 1) ? gp_rule_in_image(&layout, place &+ shift, exact) : 0
    }

    /// The call in front of a return address of the process: what is called, and the word of the process that says so; 0: not known.
    func call(before address: UInt) -> (target: UInt, word: UInt)? {
        let call = gp_call_in_image(&layout, address &+ shift)
        func place(_ copied: UInt) -> UInt { copied == 0 ? 0 : copied &- shift }
        return call.is_call ? (place(call.target), place(call.word)) : nil
    }

    /// Where the function begins that holds a place of the process; 0: that is not known.
    func functionStart(of place: UInt) -> UInt {
        let start = gp_function_in_image(&layout, place &+ shift)
        return start == 0 ? 0 : start &- shift
    }
}
