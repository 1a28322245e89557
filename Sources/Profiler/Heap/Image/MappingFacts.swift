import Foundation
import GameprofTrace

/// What the kernel says of a process's mappings beside their places (smaps).
struct MappingFacts {
    /// Private ones of which whoever serves a userfaultfd provides what is absent.
    private(set) var served: [Range<UInt64>] = []
    /// Private ones of a device, which reading may change.
    private(set) var devices: [Range<UInt64>] = []
    /// With memory that a copy of the process lacks because the program keeps it from copies (MADV_DONTFORK, MADV_WIPEONFORK).
    private(set) var uncopied: [Range<UInt64>] = []
    /// What of each is in the machine's memory; last, where it is known, the sum of all.
    private(set) var resident: [ResidentMapRecord] = []
    /// Bytes of address space that all mappings take.
    private var addressSpace: UInt64 = 0

    /// Some ms for a gibibyte in memory.
    init(of pid: pid_t) {
        self.init(smaps: ProcessFacts.bytes("/proc/\(pid)/smaps") ?? [])
        guard !resident.isEmpty else { return }
        resident.append(
            ResidentMapRecord(
                start: 0, end: addressSpace, resident: resident.map(\.resident).clampedSum, path: ResidentMapRecord.sum)
        )
    }

    init(smaps: [UInt8]) {
        var map: ResidentMapRecord?
        var swapped: UInt64 = 0
        for line in smaps.split(separator: UInt8(ascii: "\n")) {
            // Names of figures are capitalised, addresses are not.
            guard let first = line.first, first >= UInt8(ascii: "A"), first <= UInt8(ascii: "Z") else {
                add(map)
                map = CopyPlan.mapping(Substring(decoding: line, as: UTF8.self)).map(Self.record)
                swapped = 0
                continue
            }
            guard let range = map.map({ $0.start..<$0.end }), let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
                continue
            }
            let value = line[line.index(after: colon)...]
            switch String(decoding: line[..<colon], as: UTF8.self) {
            case "Rss": map?.resident = Self.bytes(value)
            case "Shared_Dirty", "Private_Dirty": map?.dirty.add(clamping: Self.bytes(value))
            case "Swap": swapped = Self.bytes(value)
            case "VmFlags":
                let flags = value.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
                let isOfDevice = flags.contains("io") || flags.contains("pf")
                if map?.isShared == false {
                    if flags.contains("um") { served.append(range) }
                    if isOfDevice { devices.append(range) }
                }
                // A single page that is wiped is by what libraries notice a fork (BoringSSL).
                let isKept =
                    flags.contains("dc") || flags.contains("wf") && range.upperBound - range.lowerBound > PageTable.page
                // What the kernel may drop at any time (dp) holds nothing.
                if isKept, !isOfDevice, !flags.contains("dp"), map?.resident != 0 || swapped > 0 {
                    uncopied.append(range)
                }
            default: break
            }
        }
        add(map)
    }

    private mutating func add(_ map: ResidentMapRecord?) {
        guard var map else { return }
        if map.isSum {
            (map.start, map.end) = (0, max(addressSpace, map.resident))
        } else if map.path != "[vsyscall]" {
            addressSpace.add(clamping: map.end - map.start)
        }
        if map.resident > 0 { resident.append(map) }
    }

    private static func record(_ mapping: MemoryImage.Mapping) -> ResidentMapRecord {
        ResidentMapRecord(
            start: mapping.start, end: mapping.end, resident: 0, isFile: mapping.isFile,
            isWritable: mapping.isWritable, isShared: !mapping.isPrivate, path: mapping.file)
    }

    /// `   123 kB`
    private static func bytes(_ text: ArraySlice<UInt8>) -> UInt64 {
        text.reduce(0) {
            $1 >= UInt8(ascii: "0") && $1 <= UInt8(ascii: "9") ? 10 &* $0 &+ UInt64($1 - UInt8(ascii: "0")) : $0
        }
            << 10
    }
}
