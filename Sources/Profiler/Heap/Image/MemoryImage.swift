import GameprofBasics

/// The memory of a process at one moment: what a core file holds, or what was copied from a process that stood still.
/// What lies outside is nil. For one thread at a time.
package final class MemoryImage {
    /// A row of the process's list of mappings.
    package struct Mapping: Hashable, Sendable {
        package var start: UInt64
        package var end: UInt64
        package var isReadable = true
        package var isWritable = false
        package var isExecutable = false
        /// What is written to it does not reach the file.
        package var isPrivate = false
        /// A core file names the file and has no segment of it: whether the program may write there is not known.
        package var isListedOnly = false
        /// The file that is mapped, or what the kernel calls the memory (`[heap]`); empty: not known.
        package var file = ""
        /// In the file.
        package var offset: UInt64 = 0

        package var isFile: Bool { file.hasPrefix("/") }

        /// A file in name only: memory that processes share, memfd_create's, or in which the kernel answers (`io_setup`).
        package var isSharedMemory: Bool {
            ["/dev/zero", "/dev/shm/", "/memfd:", "/SYSV", "/[aio]"].contains { file.hasPrefix($0) }
                || isOfDeletedFile
        }

        /// A shared file's that only those who have mapped it can read any more, and that is small enough to be read whole: of
        /// what the process has no page, the file may have one.
        package var isOfDeletedFile: Bool {
            !isPrivate && isFile && file.hasSuffix(Self.deleted) && end - start <= 64 << 20
        }
        private static let deleted = " (deleted)"

        /// Whether a file holds what of it is not in memory.
        package var isOfFile: Bool { isFile && !isSharedMemory }

        /// A device's, the kernel's own, as the rings of an io_uring, or a part of the trace that a recorder writes.
        package var isForeign: Bool {
            file.hasPrefix("[v") || file.hasPrefix("anon_inode:") || file.hasPrefix("/dev/") && !isSharedMemory
                || !isPrivate && (file.hasSuffix(".spool") || file.hasSuffix(".spool" + Self.deleted))
        }
    }

    /// A thread where it stood.
    package struct Thread: Hashable, Sendable {
        package var id: UInt32
        /// General registers, in the kernel's order, then the others.
        package var registers: [UInt64]
        package var stackPointer: UInt64
        package var programCounter: UInt64
    }

    /// Bytes that lie one behind the other in this process too.
    private struct Piece {
        var start: UInt64
        var end: UInt64
        var bytes: UnsafeRawPointer
        /// The number of its owner among those that are read on demand; −1: all of it is there.
        var paged = -1
    }

    /// Where the kernel's addresses begin: below it small offsets do not overflow.
    private static let limit: UInt64 = 1 << 63

    /// By address.
    package let mappings: [Mapping]
    package let threads: [Thread]
    /// `e_machine` of ELF.
    package let machine: UInt16
    /// The bits of an address in user space: 47 on x86-64, with four levels of page tables.
    package let userBits: UInt64
    /// What the kernel holds for the process and hands back: an epoll set's data, a timer's.
    package var kernelWords: [UInt64] = []
    /// Where the files of mappings were read, by the names that they had there.
    package var places: [String: String] = [:]
    /// Sentences about what is missing.
    package var problems: [String] = []
    /// Where words of the program may stand that the image lacks.
    package var unread = UnreadParts()
    @exclusivity(unchecked) private var pieces: [Piece] = []
    @exclusivity(unchecked) private var last = 0
    /// Runs of zeros in pieces that nothing ever wrote to, by address.
    private var untouched: [Range<UInt64>] = []
    /// Shorter ones are looked through.
    static let leastUntouched: UInt64 = 1 << 16
    /// What is looked at just now.
    @exclusivity(unchecked) private var window = Window()
    private var ahead: ReadAhead?
    private static let keptBytes: UInt64 = 32 << 20
    @exclusivity(unchecked) private var kept: UInt64 = 0
    private static let windowBytes: UInt64 = 16 << 20
    /// What `pieces` point into.
    private var owners: [AnyObject] = []
    @exclusivity(unchecked) private var paged: [PagedMemory] = []

    package init(mappings: [Mapping], threads: [Thread], machine: UInt16) {
        self.mappings = mappings.filter { $0.start < $0.end && $0.end <= Self.limit }.sorted { $0.start < $1.start }
        self.threads = threads
        self.machine = machine
        userBits = (machine == 62 ? 1 << 47 : 1 << 48) - 1
    }

    /// Adds the memory from `start` on, as far as none of it is known. `bytes` live as long as `owner`.
    /// - Parameter untouched: by address, what of it nothing ever wrote to: zeros, which a search passes over.
    package func add(
        _ bytes: UnsafeRawBufferPointer, at start: UInt64, owner: AnyObject, untouched: [Range<UInt64>] = []
    ) {
        guard let base = bytes.baseAddress, !bytes.isEmpty, start < Self.limit,
            UInt64(bytes.count) <= Self.limit - start
        else { return }
        let end = start + UInt64(bytes.count)
        var at = start
        var added: [Piece] = []
        for piece in pieces[upperBound(start)...].prefix(while: { $0.start < end }) {
            if at < piece.start { added.append(Piece(start: at, end: piece.start, bytes: base + Int(at - start))) }
            at = max(at, piece.end)
        }
        if at < end { added.append(Piece(start: at, end: end, bytes: base + Int(at - start))) }
        guard !added.isEmpty else { return }
        for piece in added {
            pieces.insert(piece, at: upperBound(piece.start))
            passOver(untouched, in: piece)
        }
        if owners.last !== owner { owners.append(owner) }
    }

    private func passOver(_ ranges: [Range<UInt64>], in piece: Piece) {
        let first = partition(0..<ranges.count) { ranges[$0].upperBound > piece.start }
        let parts = ranges[first...].prefix { $0.lowerBound < piece.end }.map {
            $0.clamped(to: piece.start..<piece.end)
        }
        untouched.insert(
            contentsOf: parts.lazy.filter { $0.upperBound - $0.lowerBound >= Self.leastUntouched },
            at: firstUntouched(behind: piece.start))
    }

    /// The first untouched run that ends above `address`.
    private func firstUntouched(behind address: UInt64) -> Int {
        partition(0..<untouched.count) { untouched[$0].upperBound > address }
    }

    /// Adds memory that is read where it is looked at, none of which is known.
    func add(_ memory: PagedMemory) {
        guard let base = memory.base else {
            return unread.add(memory: memory.start..<memory.end, because: "there was no room for it")
        }
        pieces.insert(
            Piece(start: memory.start, end: memory.end, bytes: base, paged: paged.count), at: upperBound(memory.start))
        paged.append(memory)
        if ahead == nil { ahead = ReadAhead(of: memory.process) }
    }

    // MARK: - A pass from one end to the other

    /// Memory that is there, from some address on.
    struct Window {
        fileprivate(set) var start: UInt64 = 0
        fileprivate(set) var count: UInt64 = 0
        fileprivate(set) var bytes: UnsafeRawPointer?

        @inline(__always)
        func pointer(_ address: UInt64, _ count: UInt64) -> UnsafeRawPointer? {
            let offset = address &- start
            guard offset < self.count, count <= self.count - offset, let bytes else { return nil }
            return bytes + Int(offset)
        }
    }

    /// Memory from `start` on, which lies behind what was asked for last. Those that were returned before end. Nil: `count` bytes
    /// are not there, or are too many.
    func pass(_ start: UInt64, count: UInt64) -> Window? {
        guard let piece = find(start), count <= piece.end - start else { return nil }
        passed(start)
        if piece.paged < 0 {
            let offset = start - piece.start
            window = Window(
                start: start, count: min(piece.end - start, max(count, Self.windowBytes)),
                bytes: piece.bytes + Int(offset))
        } else if count <= ReadAhead.size, let ahead {
            let bytes = ahead.take(start, min(UInt64(ReadAhead.size), piece.end - start), end: piece.end)
            window = Window(start: start, count: UInt64(bytes.count), bytes: bytes.baseAddress)
        }
        return window.pointer(start, count) == nil ? nil : window
    }

    /// Gives back what the pass has taken.
    func endPass() {
        window = Window()
        ahead?.end()
    }

    // MARK: - Here and there

    /// The first piece that ends above `address`.
    private func upperBound(_ address: UInt64) -> Int {
        partition(0..<pieces.count) { pieces[$0].end > address }
    }

    @inline(__always)
    private func find(_ address: UInt64) -> Piece? {
        if last >= pieces.count || address < pieces[last].start || address >= pieces[last].end {
            let found = upperBound(address)
            guard found < pieces.count, pieces[found].start <= address else { return nil }
            last = found
        }
        return pieces[last]
    }

    /// The memory from `address` on that lies in one piece and was touched, and how many bytes of it there are. O(log pieces).
    package func piece(at address: UInt64) -> (bytes: UnsafeRawPointer, count: UInt64)? {
        guard let piece = find(address) else { return nil }
        var end = piece.paged < 0 ? piece.end : paged[piece.paged].load(address)
        let run = firstUntouched(behind: address)
        if run < untouched.count { end = min(end, untouched[run].lowerBound) }
        return end > address ? (piece.bytes + Int(address - piece.start), end - address) : nil
    }

    /// Visits what is there of a range, piece by piece: the kernel may keep a block as several mappings, one behind the other.
    func forEachPiece(of range: Range<UInt64>, _ body: (UInt64, UnsafeRawBufferPointer) -> Void) {
        var at = range.lowerBound
        if let bytes = bytes(at: at, count: range.upperBound - at) {
            return body(at, UnsafeRawBufferPointer(start: bytes, count: range.count))
        }
        while at < range.upperBound {
            guard let (bytes, count) = piece(at: at) else {
                let next = next(from: at)
                at = next > at ? next : (at + 4096) & ~4095
                continue
            }
            let length = min(count, range.upperBound - at)
            body(at, UnsafeRawBufferPointer(start: bytes, count: Int(length)))
            at += length
        }
    }

    /// Where memory that is there and was touched begins, from `address` on; `UInt64.max`: nowhere.
    package func next(from address: UInt64) -> UInt64 {
        var at = address
        while true {
            let found = upperBound(at)
            guard found < pieces.count else { return .max }
            at = max(pieces[found].start, at)
            let run = firstUntouched(behind: at)
            guard run < untouched.count, untouched[run].lowerBound <= at else { return at }
            at = untouched[run].upperBound
        }
    }

    /// Pointer to `count` bytes.
    @inline(__always)
    package func bytes(at address: UInt64, count: UInt64) -> UnsafeRawPointer? {
        window.pointer(address, count) ?? find(address, count)
    }

    @inline(never)
    private func find(_ address: UInt64, _ count: UInt64) -> UnsafeRawPointer? {
        guard let piece = find(address), count <= piece.end - address else { return nil }
        if piece.paged >= 0, !paged[piece.paged].load(address, count: count) { return nil }
        return piece.bytes + Int(address - piece.start)
    }

    /// Whether all of `count` bytes are there, in as many pieces as may be.
    func covers(_ address: UInt64, count: UInt64) -> Bool {
        var (at, left) = (address, count)
        while left > 0 {
            guard let piece = find(at) else { return false }
            let end = piece.paged < 0 ? piece.end : paged[piece.paged].load(at)
            guard end > at else { return false }
            (at, left) = (end, left - min(end - at, left))
        }
        return true
    }

    /// To be called where memory is read from one end to the other: what was read of files lies in memory until then.
    func passed(_ address: UInt64) {
        guard paged.isEmpty else { return PagedMemory.forget(paged) }
        guard max(address, kept) - min(address, kept) > Self.keptBytes else { return }
        kept = address
        for case let file as FileBytes in owners { file.forget() }
    }

    package func has(_ address: UInt64, count: UInt64) -> Bool { bytes(at: address, count: count) != nil }

    private func load<T: FixedWidthInteger & BitwiseCopyable>(_ address: UInt64) -> T? {
        bytes(at: address, count: UInt64(MemoryLayout<T>.size))?.loadUnaligned(as: T.self)
    }

    package func word(_ address: UInt64) -> UInt64? { load(address) }
    package func u32(_ address: UInt64) -> UInt32? { load(address) }
    package func u16(_ address: UInt64) -> UInt16? { load(address) }
    package func u8(_ address: UInt64) -> UInt8? { load(address) }

    /// The text up to a NUL; nil where there is none within `limit` bytes.
    package func text(_ address: UInt64, limit: Int = 4096) -> String? {
        guard let end = find(address)?.end, let bytes = bytes(at: address, count: min(end - address, UInt64(limit)))
        else { return nil }
        let buffer = UnsafeRawBufferPointer(start: bytes, count: Int(min(end - address, UInt64(limit))))
        guard let end = buffer.firstIndex(of: 0) else { return nil }
        return String(decoding: buffer[..<end], as: UTF8.self)
    }

    /// The mapping that holds an address. O(log mappings).
    package func mapping(at address: UInt64) -> Mapping? {
        let found = partition(0..<mappings.count) { mappings[$0].end > address }
        return found < mappings.count && mappings[found].start <= address ? mappings[found] : nil
    }

    /// Below the end of a stack is room that nothing may use: the kernel's below the main thread's (`stack_guard_gap`), a page or
    /// more below others'.
    package static let guardBytes: UInt64 = 1 << 20

    /// The mapping of a thread's stack: that of its stack pointer, or the one above where there was no room for the last call.
    package func stack(of thread: Thread) -> Mapping? {
        let sp = thread.stackPointer
        let own = mapping(at: sp)
        if let own, own.isWritable { return own }
        let above = partition(0..<mappings.count) { mappings[$0].start > sp }
        guard above < mappings.count, mappings[above].isWritable, mappings[above].start - sp <= Self.guardBytes else {
            return own
        }
        return mappings[above]
    }
}

/// Why a process or a core file cannot be looked at, as a sentence.
package struct MemoryImageError: Error, Hashable, Sendable {
    /// The input is none that can be read; otherwise it is, and gives no answer.
    package var isInput: Bool
    package var sentence: String
    /// Bytes of memory that there are not; nil: it is something else.
    package private(set) var needed: UInt64?

    package init(isInput: Bool = false, _ sentence: String) {
        self.isInput = isInput
        self.sentence = sentence
    }

    /// - Throws: where so many bytes would not fit into the machine's memory.
    static func checkRoom(_ bytes: UInt64, for thing: String, remedy: String) throws(MemoryImageError) {
        // So little is there, and what is available takes longer to find out than to look through that.
        guard bytes > 1 << 20, let available = AvailableMemory.now(), bytes > available.bytes else { return }
        var error = MemoryImageError(
            "The \(thing) needs up to \(NumberFormat.bytes(bytes)) of memory, and "
                + "\(NumberFormat.bytes(available.bytes)) are available (\(available.limit.rawValue)): \(remedy).")
        error.needed = bytes
        throw error
    }
}
