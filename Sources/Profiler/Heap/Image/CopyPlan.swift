import Foundation
import GameprofBasics

/// Which memory of a process is copied: the pages of its private memory that it has.
package struct CopyPlan {
    struct Copy {
        var mapping: MemoryImage.Mapping
        /// By address. What is in none was never touched; of a file it is as the file has it.
        var pages: [Range<UInt64>]
        /// Whoever serves a userfaultfd provides what was never touched.
        var isServed = false
    }

    /// Measured: the kernel copies a gibibyte in about 0.7 s.
    private static let bytesPerSecond = 1.5e9

    let pid: pid_t
    private(set) var mappings: [MemoryImage.Mapping] = []
    private(set) var copies: [Copy] = []
    /// Memory of the process in which its words may stand and that is not copied: a file's that it shares, or what it cannot read
    /// itself.
    private(set) var others: [MemoryImage.Mapping] = []
    /// Of which the kernel does not say what the process has.
    private(set) var unknown: [Range<UInt64>] = []

    init(pid: pid_t, table: PageTable, facts: MappingFacts) {
        self.pid = pid
        mappings = Self.mappings(of: pid)
        for mapping in mappings where !mapping.isForeign {
            let range = mapping.start..<mapping.end
            guard mapping.isReadable, mapping.isPrivate || mapping.isSharedMemory else {
                if mapping.isWritable || mapping.isSharedMemory || mapping.isPrivate && !mapping.isFile,
                    table.pages(in: range, which: .held)?.isEmpty != true
                {
                    others.append(mapping)
                }
                continue
            }
            if facts.devices.contains(where: range.overlaps) { continue }
            // The loader writes to what it protects then.
            let which: PageTable.Selection = mapping.isOfFile && !mapping.isWritable ? .changed : .held
            // What the page table lacks of it may be in the file.
            guard let pages = mapping.isOfDeletedFile ? [range] : table.pages(in: range, which: which) else {
                unknown.append(range)
                continue
            }
            let isServed = facts.served.contains(where: range.overlaps)
            if !mapping.isOfFile || isServed || !pages.isEmpty {
                copies.append(Copy(mapping: mapping, pages: pages, isServed: isServed))
            }
        }
    }

    package static func mappings(of pid: pid_t) -> [MemoryImage.Mapping] {
        (ProcessFacts.text("/proc/\(pid)/maps") ?? "").split(separator: "\n").compactMap(mapping)
    }

    /// `start-end perms offset device inode path`
    static func mapping(_ line: Substring) -> MemoryImage.Mapping? {
        let words = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
        guard words.count >= 5, words[1].utf8.count == 4 else { return nil }
        let ends = words[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
        guard ends.count == 2, ends[0] < ends[1], let offset = UInt64(words[2], radix: 16) else {
            return nil
        }
        return MemoryImage.Mapping(
            start: ends[0], end: ends[1], isReadable: words[1].contains("r"), isWritable: words[1].contains("w"),
            isExecutable: words[1].contains("x"), isPrivate: words[1].contains("p"),
            file: words.count > 5 ? words[5].trimmingCharacters(in: .whitespaces) : "", offset: offset)
    }

    /// That are copied.
    var bytes: UInt64 {
        copies.reduce(0) { $1.pages.reduce($0) { $0 + ($1.upperBound - $1.lowerBound) } }
    }

    /// For how long the process stands still then.
    var seconds: Double { Double(bytes) / Self.bytesPerSecond }

    /// - Throws: where the copies would not fit into the machine's memory.
    func checkRoom() throws(MemoryImageError) {
        try MemoryImageError.checkRoom(bytes, for: "copy of process \(pid)", remedy: "take a core file")
    }
}
