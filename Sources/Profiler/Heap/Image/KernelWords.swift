import CTraceFormat
import Foundation
import GameprofTrace

/// Words of a process that only the kernel has, as texts below /proc show them: what an epoll set or a timer hands back, and what
/// the operations of an io_uring hold.
struct KernelWords {
    private(set) var words: [UInt64] = []
    /// What of them is not known.
    private(set) var unread: Set<Unread> = []

    enum Unread: String, CaseIterable {
        case descriptors = "the list of descriptors"
        case epoll = "the data of an epoll set"
        case uring = "what the operations of an io_uring hold"
    }

    /// The words of a process that stands still.
    init(of pid: pid_t) {
        let files = FileManager.default
        let names = try? files.contentsOfDirectory(atPath: "/proc/\(pid)/fd")
        if names == nil { unread.insert(.descriptors) }
        for name in names ?? [] {
            let info = "/proc/\(pid)/fdinfo/\(name)"
            switch try? files.destinationOfSymbolicLink(atPath: "/proc/\(pid)/fd/\(name)") {
            case "anon_inode:[eventpoll]": add(epoll: ProcessFacts.text(info))
            case "anon_inode:[io_uring]": add(uring: ProcessFacts.text(info))
            default: break
            }
        }
        add(timers: ProcessFacts.text("/proc/\(pid)/timers"))
        words.sort()
    }

    /// The words of a frozen copy, which sends the texts in parts.
    init(_ parts: [HeapImageRecord]) {
        var texts: [Key: [UInt8]] = [:]
        for part in parts { texts[Key(kind: part.kind, number: part.first), default: []] += part.bytes }
        for (key, bytes) in texts {
            let text = bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
            switch Int(key.kind) {
            case Int(GP_SEARCH_URING): add(uring: text)
            case Int(GP_SEARCH_TIMERS): add(timers: text)
            default:
                if key.number == GP_SEARCH_ALL_DESCRIPTORS { unread.insert(.descriptors) } else { add(epoll: text) }
            }
        }
        words.sort()
    }

    private struct Key: Hashable {
        var kind: UInt32
        var number: UInt64
    }

    func add(to image: MemoryImage) {
        image.kernelWords = words
        for part in Unread.allCases where unread.contains(part) {
            image.unread.add(part.rawValue, because: "/proc does not show it")
        }
    }

    private mutating func add(epoll text: String?) {
        if text == nil { unread.insert(.epoll) }
        words += Self.words(behind: "data:", in: text ?? "")
    }

    private mutating func add(uring text: String?) {
        let ring = UringFacts(text ?? "")
        if ring.isUnderWay { unread.insert(.uring) }
        words += ring.words
    }

    /// A kernel without CONFIG_CHECKPOINT_RESTORE does not list timers.
    private mutating func add(timers text: String?) { words += Self.words(behind: "signal:", in: text ?? "") }

    /// `data: 7f…`, `signal: 14/0000…`
    private static func words(behind name: String, in text: String) -> [UInt64] {
        let words = text.split { $0 == " " || $0 == "\n" || $0 == "\t" }
        return zip(words, words.dropFirst()).compactMap { word, value in
            word == name ? value.split(separator: "/").last.flatMap { UInt64($0, radix: 16) } : nil
        }
    }
}

/// What /proc says of an io_uring.
private struct UringFacts {
    /// What entries hand back that were not taken yet, and where registered buffers are.
    private(set) var words: [UInt64] = []
    /// Operations are not done: the kernel alone knows what they hand back, and into which memory they read.
    let isUnderWay: Bool

    init(_ text: String) {
        var counts: [Substring: UInt64] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(maxSplits: 1) { $0 == "\t" || $0 == " " }
            if parts.count == 2, let count = UInt64(parts[1]) { counts[parts[0]] = count }
            // `3: opcode:READ, …, user_data:139…`
            if let place = line.range(of: "user_data:"),
                let word = UInt64(line[place.upperBound...].prefix { $0.isNumber })
            {
                words.append(word)
            }
            // `0: 0x55d0c0ffee10/4096`
            if let place = line.range(of: ": 0x"),
                let word = UInt64(line[place.upperBound...].prefix { $0.isHexDigit }, radix: 16)
            {
                words.append(word)
            }
        }
        isUnderWay = counts["CachedSqHead:"] == nil || counts["CachedSqHead:"] != counts["CachedCqTail:"]
    }
}
