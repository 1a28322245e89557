/// Where the functions of an ELF file begin and end, by the table of its call frame information (`.eh_frame_hdr`), which a
/// stripped file has too. Functions that cannot throw may be missing there.
package struct ELFFunctions: Sendable {
    private static let tableSegment: UInt32 = 0x6474_e550  // PT_GNU_EH_FRAME
    private static let loadSegment: UInt32 = 1
    /// Version 1; a pointer relative to itself, a count, and a table relative to the header, each of four bytes.
    private static let knownHeader: [UInt8] = [1, 0x1b, 0x03, 0x3b]
    /// A function's start relative to itself, as its description encodes it.
    private static let descriptionStart: UInt64 = 8

    private let bytes: ELFBytes
    private let segments: [ELFFile.Segment]
    private let header: ELFFile.Segment?
    private let count: UInt64

    package init(_ file: ELFFile) {
        let bytes = ELFBytes(file.data)
        let table = file.segments.first { $0.type == Self.tableSegment }
        let isKnown = table.map { bytes.bytes($0.offset, count: 4) == Self.knownHeader } ?? false
        self.bytes = bytes
        segments = file.segments.filter { $0.type == Self.loadSegment }
        header = isKnown ? table : nil
        count = table.flatMap { bytes.u32($0.offset &+ 8) }.map(UInt64.init) ?? 0
    }

    /// The start of the function that holds `address`, an address of the file; nil: not known. O(log functions).
    package func start(of address: UInt64) -> UInt64? {
        guard let header else { return nil }
        var low: UInt64 = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            guard let start = entry(middle, 0, header) else { return nil }
            if start <= address { low = middle + 1 } else { high = middle }
        }
        guard low > 0, let start = entry(low - 1, 0, header), let description = entry(low - 1, 4, header),
            let size = size(of: start, by: description), address - start < size
        else { return nil }
        return start
    }

    /// A word of a row of the table, which is relative to the table's header.
    private func entry(_ index: UInt64, _ word: UInt64, _ header: ELFFile.Segment) -> UInt64? {
        bytes.u32(header.offset &+ 12 &+ index &* 8 &+ word).map { header.address &+ Self.signed($0) }
    }

    private func size(of start: UInt64, by description: UInt64) -> UInt64? {
        let place = description &+ Self.descriptionStart
        guard let segment = segments.first(where: { $0.address <= place && place - $0.address < $0.fileSize }) else {
            return nil
        }
        let offset = place - segment.address &+ segment.offset
        guard let distance = bytes.u32(offset), let size = bytes.u32(offset &+ 4),
            place &+ Self.signed(distance) == start
        else { return nil }
        return UInt64(size)
    }

    private static func signed(_ word: UInt32) -> UInt64 { UInt64(bitPattern: Int64(Int32(bitPattern: word))) }
}
