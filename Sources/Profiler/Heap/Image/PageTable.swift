import Foundation

/// Which pages a process has, in memory or in swap: what it never touched is in neither, and reading that would have the
/// kernel make it, or wait for whoever provides it.
final class PageTable {
    static let page = UInt64(sysconf(CInt(_SC_PAGESIZE)))

    /// `PAGE_IS_…` of linux/fs.h
    private enum Category {
        static let (file, present, swapped, zero, guarded): (UInt64, UInt64, UInt64, UInt64, UInt64) =
            (1 << 2, 1 << 3, 1 << 4, 1 << 5, 1 << 8)
    }

    /// Pages that are asked for.
    enum Selection {
        /// In memory or in swap.
        case held
        /// Of these, what is not as a file has it.
        case changed
        /// In memory.
        case resident
    }

    /// `PAGEMAP_SCAN`: `_IOWR('f', 16, struct pm_scan_arg)`
    private static let scanRequest: UInt = 0xc060_6610
    private static let batch = 4096
    /// Address space for a table, an arena or a sanitizer's shadow, of which an older kernel takes seconds to say that it has no
    /// pages.
    private static let reservation: UInt64 = 1 << 40

    /// `struct page_region`
    private struct Region {
        var (start, end, categories): (UInt64, UInt64, UInt64) = (0, 0, 0)
    }

    private let file: CInt
    /// Categories that are not looked for; nil: the kernel, one before 6.7, scans no page tables.
    private var excluded: UInt64? = Category.zero | Category.guarded
    private let regions = UnsafeMutableBufferPointer<Region>.allocate(capacity: batch)
    private let entries = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: 16 * batch)

    /// - Parameter scans: asks the kernel for whole runs, where it can tell them.
    /// - Throws: the kernel does not show the page table.
    init(of pid: pid_t, scans: Bool = true) throws(MemoryImageError) {
        file = open("/proc/\(pid)/pagemap", O_RDONLY | O_CLOEXEC)
        let code = errno
        regions.initialize(repeating: Region())
        entries.initialize(repeating: 0)
        if !scans { excluded = nil }
        guard file >= 0 else {
            guard access("/proc/\(pid)", F_OK) == 0 else { throw StoppedThreads.gone(pid) }
            switch code {
            case EACCES, EPERM: throw StoppedThreads.refusal(pid, code)
            case ESRCH:
                throw MemoryImageError(
                    "Process \(pid) has no memory: it is ending, becoming another program (exec), or a part of the kernel."
                )
            default:
                throw MemoryImageError(
                    "The kernel does not say which memory of process \(pid) is in use (/proc/\(pid)/pagemap: "
                        + "\(String(cString: strerror(code)))): take a core file.")
            }
        }
    }

    deinit {
        if file >= 0 { close(file) }
        regions.deallocate()
        entries.deallocate()
    }

    /// Runs of the pages that a range touches, by address; nil: there are too many to ask for each.
    func pages(in range: Range<UInt64>, which: Selection) -> [Range<UInt64>]? {
        guard !range.isEmpty else { return [] }
        let (mask, last) = (Self.page - 1, (range.upperBound - 1) | (Self.page - 1))
        let range = range.lowerBound & ~mask..<last + 1
        var result: [Range<UInt64>] = []
        func add(_ start: UInt64, _ end: UInt64) {
            if let last = result.last, last.upperBound == start {
                result[result.count - 1] = last.lowerBound..<end
            } else {
                result.append(start..<end)
            }
        }
        if scan(range, which, add) { return result }
        guard range.upperBound - range.lowerBound <= Self.reservation else { return nil }
        read(range, which, add)
        return result
    }

    /// False: the kernel cannot.
    private func scan(_ range: Range<UInt64>, _ which: Selection, _ add: (UInt64, UInt64) -> Void) -> Bool {
        var at = range.lowerBound
        while at < range.upperBound {
            guard let excluded else { return false }
            let unwanted = excluded | (which == .changed ? Category.file : 0)
            let wanted = Category.present | (which == .resident ? 0 : Category.swapped)
            // size, flags, start, end, walk_end, vec, vec_len, max_pages, category_inverted, category_mask, category_anyof_mask,
            // return_mask
            var request: [UInt64] = [
                96, 0, at, range.upperBound, 0, UInt64(UInt(bitPattern: regions.baseAddress)), UInt64(Self.batch), 0,
                unwanted, unwanted, wanted, Category.present,
            ]
            let count = ioctl(file, Self.scanRequest, &request)
            guard count >= 0, request[4] > at else {
                if count < 0, errno == EINTR { continue }
                // The process has no memory any more.
                if count >= 0 || errno == ESRCH { return true }
                // Before 6.15 there was no category of guard pages.
                self.excluded = excluded & Category.guarded == 0 ? nil : Category.zero
                continue
            }
            for region in regions[..<Int(count)] { add(region.start, region.end) }
            at = request[4]
        }
        return true
    }

    private func read(_ range: Range<UInt64>, _ which: Selection, _ add: (UInt64, UInt64) -> Void) {
        // Bits 63 and 62: in memory, in swap; 61: of a file; 58: a guard page.
        let unwanted: UInt64 = 1 << 58 | (which == .changed ? 1 << 61 : 0)
        let wanted: UInt64 = 1 << 63 | (which == .resident ? 0 : 1 << 62)
        var at = range.lowerBound
        while at < range.upperBound {
            let most = min(entries.count, Int((range.upperBound - at) / Self.page))
            let count = pread(file, entries.baseAddress, most * 8, off_t(at / Self.page * 8))
            if count < 0, errno == EINTR { continue }
            guard count >= 8 else { return }
            for entry in entries[..<(count / 8)] {
                if entry & wanted != 0, entry & unwanted == 0 { add(at, at + Self.page) }
                at += Self.page
            }
        }
    }
}
