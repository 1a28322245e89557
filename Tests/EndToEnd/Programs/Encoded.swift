// Living objects whose addresses stand where no word begins, or in another form than the processor's.
import Foundation

@main enum Program {
    static func main() { run(cases) }
}

final class Session {
    var number = 1
    var text = String(repeating: "a session ", count: 4)
}
@inline(never) func handle() -> UInt64 {
    UInt64(UInt(bitPattern: Unmanaged.passRetained(Session()).toOpaque()))
}
func bytes(_ word: UInt64) -> [UInt8] { withUnsafeBytes(of: word) { Array($0) } }
func upper(_ word: UInt64) -> UInt32 { UInt32(word >> 32) }
func lower(_ word: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: word) }

final class Ticket {
    var kind: UInt32 = 7
    var upper: UInt32 = 0
    var lower: UInt32 = 0
}
enum Token {
    case text(String)
    case small(Data)
    case large([UInt8])
}

nonisolated(unsafe) var globalBytes: [UInt8] = []
nonisolated(unsafe) var globalData = Data()
nonisolated(unsafe) var globalNumbers: [UInt32] = []
nonisolated(unsafe) var globalWords: [UInt64] = []
nonisolated(unsafe) var globalTickets: [Ticket] = []
nonisolated(unsafe) var globalTokens: [String: Token] = [:]
nonisolated(unsafe) var globalMemory: UnsafeMutableRawPointer?

@inline(never) func inBytes() {
    for kind in 0..<5 { globalBytes += [UInt8(kind)] + bytes(handle()) }
}
@inline(never) func inNetworkOrder() {
    for kind in 0..<5 { globalBytes += [UInt8(kind)] + bytes(handle().bigEndian) }
}
@inline(never) func inData() {
    globalData = Data(count: 3)
    for _ in 0..<5 { globalData += bytes(handle()) }
}
@inline(never) func inTokens() {
    globalTokens = ["text": .text("no handle"), "small": .small(Data([1, 2, 3] + bytes(handle())))]
    for number in 0..<5 { globalTokens["large \(number)"] = .large([9] + bytes(handle())) }
}
@inline(never) func inHalves() {
    globalNumbers = [5]
    for _ in 0..<5 {
        let word = handle()
        globalNumbers += [upper(word), lower(word)]
    }
}
@inline(never) func inFields() {
    for _ in 0..<5 {
        let ticket = Ticket()
        let word = handle()
        ticket.upper = upper(word)
        ticket.lower = lower(word)
        globalTickets.append(ticket)
    }
}
/// As lock-free lists pack them: a version of 16 bits below the address, or above it when four bits are dropped.
@inline(never) func shifted() {
    for version in 0..<5 as Range<UInt64> {
        globalWords += [handle() << 16 | version, handle() >> 4 | version << 48, handle() >> 3]
    }
}
/// Records of 13 bytes in memory of the program's own.
@inline(never) func inArena() {
    let memory = malloc(1_000)!
    memset(memory, 1, 1_000)
    for number in 0..<5 { memory.storeBytes(of: handle(), toByteOffset: 13 * number + 1, as: UInt64.self) }
    globalMemory = memory
}
/// A hundred rows, each of which leads to the one made before it.
@inline(never) func inChain() {
    var last: UnsafeMutableRawPointer?
    for _ in 0..<100 {
        let row = malloc(40)!
        memset(row, 1, 40)
        row.storeBytes(of: UInt(bitPattern: last), toByteOffset: 3, as: UInt.self)
        row.storeBytes(of: handle(), toByteOffset: 11, as: UInt64.self)
        last = row
    }
    globalMemory = last
}

// --------------------------------------------------------------------------------------------------------- lost

/// The upper half of one reference and the lower half of the next make the address of what the next one names.
final class Neighbour {
    var first = Session()
    unowned var second: Session
    init(_ second: Session) { self.second = second }
}
nonisolated(unsafe) var globalNeighbours: [Neighbour] = []
@inline(never) func besideUnowned() {
    for _ in 0..<5 {
        let session = Session()
        globalNeighbours.append(Neighbour(session))
        _ = Unmanaged.passRetained(session)
    }
}
/// Half an address is none.
@inline(never) func truncated() {
    for _ in 0..<5 { globalNumbers.append(lower(handle())) }
}

let cases: Cases = [
    "bytes": inBytes, "network-order": inNetworkOrder, "data": inData, "tokens": inTokens, "halves": inHalves,
    "fields": inFields, "shifted": shifted, "arena": inArena, "chain": inChain,
    "beside-unowned": besideUnowned, "truncated": truncated,
]
