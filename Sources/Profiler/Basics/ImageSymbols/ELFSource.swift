/// Bytes in which ELF structures stand: of a file, of a core file, of an image in the memory of a process. Places are offsets or
/// addresses; what cannot be read is nil.
package protocol ELFSource {
    func u16(_ place: UInt64) -> UInt16?
    func u32(_ place: UInt64) -> UInt32?
    func u64(_ place: UInt64) -> UInt64?
    func bytes(_ place: UInt64, count: UInt64) -> [UInt8]?
}

extension ELFSource {
    /// The program headers (`Elf64_Phdr`) of the file or image that begins at `head`, up to the first that cannot be read.
    package func segments(at head: UInt64 = 0) -> [ELFFile.Segment] {
        guard let start = u64(head &+ 32), let size = u16(head &+ 54), size >= 56,
            var count = u16(head &+ 56).map(UInt64.init)
        else { return [] }
        // PN_XNUM: the first section's sh_info has the count.
        if count == 0xffff, let section = u64(head &+ 40) { count = u32(head &+ section &+ 44).map(UInt64.init) ?? 0 }
        var result: [ELFFile.Segment] = []
        for index in 0..<min(count, 1 << 22) {
            let at = head &+ start &+ index &* UInt64(size)
            guard let type = u32(at), let flags = u32(at &+ 4), let offset = u64(at &+ 8), let address = u64(at &+ 16),
                let fileSize = u64(at &+ 32), let memorySize = u64(at &+ 40)
            else { break }
            result.append(
                ELFFile.Segment(
                    type: type, flags: flags, offset: offset, address: address, fileSize: fileSize,
                    memorySize: memorySize))
        }
        return result
    }

    /// The contents of the note with owner "GNU" and type 3 (`NT_GNU_BUILD_ID`); nil: there is none.
    package func buildID(inNotesAt start: UInt64, size: UInt64) -> [UInt8]? {
        var at = start
        let end = start.addingReportingOverflow(min(size, 65536)).partialValue
        while at < end, let nameSize = u32(at), let size = u32(at &+ 4), let type = u32(at &+ 8) {
            let contents = at &+ 12 &+ (UInt64(nameSize) + 3) / 4 * 4
            if type == 3, nameSize == 4, size <= 64, u32(at &+ 12) == UInt32(littleEndian: 0x0055_4e47) {
                return bytes(contents, count: UInt64(size))
            }
            at = contents &+ (UInt64(size) + 3) / 4 * 4
        }
        return nil
    }
}
