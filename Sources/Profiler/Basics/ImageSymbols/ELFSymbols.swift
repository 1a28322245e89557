import Foundation

/// The functions or the variables of an ELF file's `.symtab`, or of its `.dynsym` when it is stripped, by address.
package struct ELFSymbols: Sendable {
    /// What is looked up.
    package enum Kind: Sendable {
        case functions, variables

        /// `STT_FUNC`, `STT_GNU_IFUNC`; `STT_OBJECT`.
        fileprivate var types: Set<UInt64> { self == .functions ? [2, 10] : [1] }
    }

    private var starts: [UInt64] = []
    private var ends: [UInt64] = []
    private var names: [UInt64] = []
    private let bytes: ELFBytes

    /// Reads the symbol tables. Takes about 20 ms for 100,000 symbols.
    package init(_ file: ELFFile, of kind: Kind = .functions) {
        bytes = ELFBytes(file.data)
        let tables = file.sections.filter { $0.type == 2 } + file.sections.filter { $0.type == 11 }
        for table in tables where starts.isEmpty { read(table, file, kind.types) }
    }

    private mutating func read(_ table: ELFFile.Section, _ file: ELFFile, _ types: Set<UInt64>) {
        guard Int(table.link) < file.sections.count else { return }
        let strings = file.sections[Int(table.link)].offset
        var found: [(start: UInt64, end: UInt64, name: UInt64)] = []
        for index in 0..<min(table.size / 24, 1 << 26) {
            let at = table.offset &+ index &* 24
            guard let word = bytes.u64(at), let value = bytes.u64(at &+ 8), let size = bytes.u64(at &+ 16) else {
                break
            }
            let kind = word >> 32 & 0xf
            let section = word >> 48
            guard types.contains(kind), section != 0, value != 0 else { continue }
            found.append((value, value &+ size, strings &+ (word & 0xffff_ffff)))
        }
        found.sort { ($0.start, $0.end) < ($1.start, $1.end) }
        starts = found.map(\.start)
        ends = found.map(\.end)
        names = found.map(\.name)
    }

    /// What those of a file take in memory at most, with their names.
    package static func bytes(_ file: ELFFile) -> Int {
        file.sections.filter { [2, 3, 11].contains($0.type) }
            .reduce(0) { min($0 + 2 * Int(min($1.size, UInt64(file.data.count))), 1 << 48) }
    }

    /// None is known.
    package var isEmpty: Bool { starts.isEmpty }

    /// The name of what holds `address`, an address of the file. O(log symbols).
    package func name(at address: UInt64) -> String? {
        var low = 0
        var high = starts.count
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= address { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let isInside = address < ends[low - 1] || starts[low - 1] == ends[low - 1]
        return isInside ? bytes.string(names[low - 1], limit: 16384).flatMap { $0.isEmpty ? nil : $0 } : nil
    }

    /// Where what `name` gives one of these names begins. Linear in the symbols.
    package func addresses(of wanted: Set<String>, calling rename: (String) -> String = { $0 }) -> [String: UInt64] {
        var result: [String: UInt64] = [:]
        for (start, name) in zip(starts, names) {
            guard let name = bytes.string(name, limit: 16384).map(rename), wanted.contains(name) else { continue }
            result[name] = result[name] ?? start
        }
        return result
    }

    /// Where what begins at `start` ends; nil: nothing begins there. O(log symbols).
    package func end(of start: UInt64) -> UInt64? {
        var low = 0
        var high = starts.count
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] < start { low = middle + 1 } else { high = middle }
        }
        return low < starts.count && starts[low] == start ? ends[low] : nil
    }
}
