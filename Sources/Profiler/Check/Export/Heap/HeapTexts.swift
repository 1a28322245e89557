import GameprofTrace

/// Texts in the order of their first use, each once.
struct StringNumbers {
    private(set) var texts: [String] = []
    private var numbers: [String: Int] = [:]

    mutating func number(of text: String) -> Int {
        if let known = numbers[text] { return known }
        numbers[text] = texts.count
        texts.append(text)
        return texts.count - 1
    }
}

/// A number for each block of a heap, odd and below 2³², from the address: a block that two snapshots of one process
/// have in common has the same number in both. Of blocks whose addresses differ by a multiple of 16 GiB the later ones
/// take the next free numbers.
struct SnapshotNumbers {
    /// Smaller ones are for what is no block.
    static let least: UInt64 = 1001
    private var numbers: [UInt32]

    init(_ addresses: some RandomAccessCollection<UInt64>) {
        numbers = [UInt32](repeating: 0, count: addresses.count)
        let sorted = addresses.enumerated().map { UInt64($0) | ($1 >> 4 & 0x3fff_ffff) << 32 }.sorted()
        var next: UInt64 = 0
        for entry in sorted {
            next = max(next, entry >> 32)
            numbers[Int(entry & 0xffff_ffff)] = UInt32(clamping: Self.least + 2 * next)
            next += 1
        }
    }

    subscript(_ block: Int) -> UInt64 { UInt64(numbers[block]) }
}

/// Strings of JSON.
enum JSONText {
    static func quoted(_ text: String) -> [UInt8] {
        var result = [UInt8(ascii: "\"")]
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): result += [UInt8(ascii: "\\"), byte]
            case 0..<0x20:
                let digits = String(byte, radix: 16)
                result += Array("\\u00".utf8) + Array((digits.count < 2 ? "0" + digits : digits).utf8)
            default: result.append(byte)
            }
        }
        result.append(UInt8(ascii: "\""))
        return result
    }
}

extension HeapRoot.Kind {
    static let inOrder: [HeapRoot.Kind] = [.global, .threadLocal, .stack, .register, .mapped, .runtime, .kernel]

    /// As a heading.
    var plural: String {
        switch self {
        case .global: "global variables"
        case .stack: "stacks"
        case .register: "registers"
        case .threadLocal: "thread-local storage"
        case .runtime: "dynamic linker"
        case .mapped: "mapped memory"
        case .kernel: "kernel"
        }
    }

    /// As a column of a table.
    var word: String {
        switch self {
        case .global: "global"
        case .stack: "stack"
        case .register: "register"
        case .threadLocal: "thread-local"
        case .runtime: "runtime"
        case .mapped: "mapped"
        case .kernel: "kernel"
        }
    }
}
