import Foundation

/// Payload storage handed out by the arena.
final class PacketBuffer {
    fileprivate(set) var bytes: [UInt8]
    fileprivate var nextFree: Unmanaged<PacketBuffer>?
    private(set) var generation = 0

    init(capacity: Int) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    fileprivate func recycle() {
        bytes.removeAll(keepingCapacity: true)
        generation += 1
    }
}

/// Intrusive free list.
final class PacketArena {
    private var head: Unmanaged<PacketBuffer>?
    private var parked = 0
    private let capacity: Int
    private let keep: Int

    init(capacity: Int, keep: Int) {
        self.capacity = capacity
        self.keep = keep
    }

    deinit {
        while let buffer = pop() { _ = buffer }
    }

    private func pop() -> PacketBuffer? {
        guard let top = head else { return nil }
        let buffer = top.takeRetainedValue()
        head = buffer.nextFree
        buffer.nextFree = nil
        parked -= 1
        return buffer
    }

    private func push(_ buffer: PacketBuffer) {
        buffer.nextFree = head
        head = Unmanaged.passRetained(buffer)
        parked += 1
    }

    func borrow() -> Packet {
        Packet(buffer: pop() ?? PacketBuffer(capacity: capacity), arena: self)
    }

    fileprivate func giveBack(_ buffer: PacketBuffer) {
        buffer.recycle()
        if parked < keep { push(buffer) }
    }

    var idle: Int { parked }
}

struct Packet: ~Copyable {
    private let buffer: PacketBuffer
    private let arena: PacketArena

    fileprivate init(buffer: PacketBuffer, arena: PacketArena) {
        self.buffer = buffer
        self.arena = arena
    }

    deinit {
        arena.giveBack(buffer)
    }

    borrowing func append(_ values: some Sequence<UInt8>) {
        buffer.bytes.append(contentsOf: values)
    }

    var count: Int { buffer.bytes.count }

    borrowing func checksum() -> UInt16 {
        buffer.bytes.reduce(0) { $0 &* 31 &+ UInt16($1) }
    }
}

typealias CompletionRoutine = @convention(c) (Int32, UnsafeMutableRawPointer?) -> Void

/// Stand-in for a ring-based kernel interface.
final class SubmissionRing {
    private struct Entry {
        let routine: CompletionRoutine
        let context: UnsafeMutableRawPointer?
        let length: Int
    }

    private var entries: [Entry] = []

    func submit(_ length: Int, _ routine: @escaping CompletionRoutine, _ context: UnsafeMutableRawPointer?) {
        entries.append(Entry(routine: routine, context: context, length: length))
    }

    func reap() {
        let batch = entries
        entries.removeAll(keepingCapacity: true)
        for entry in batch { entry.routine(Int32(entry.length), entry.context) }
    }
}

private final class Completion {
    let body: (Int) -> Void

    init(_ body: @escaping (Int) -> Void) {
        self.body = body
    }
}

final class PacketSender {
    private let arena: PacketArena
    private let ring: SubmissionRing
    private var sequence: UInt8 = 0
    private(set) var bytesSent = 0
    private(set) var lastChecksum: UInt16 = 0

    init(arena: PacketArena, ring: SubmissionRing) {
        self.arena = arena
        self.ring = ring
    }

    func send(_ payload: [UInt8]) {
        let packet = arena.borrow()
        sequence &+= 1
        packet.append([0xCA, 0xFE, sequence])
        packet.append(payload)
        lastChecksum = packet.checksum()
        let completion = Completion { sent in
            self.bytesSent += sent
        }
        let context = Unmanaged.passRetained(completion).toOpaque()
        ring.submit(packet.count, { length, context in
            guard let context else { return }
            Unmanaged<Completion>.fromOpaque(context).takeRetainedValue().body(Int(length))
        }, context)
    }
}

func flood(_ rounds: Int) {
    let arena = PacketArena(capacity: 1_500, keep: 4)
    let ring = SubmissionRing()
    let sender = PacketSender(arena: arena, ring: ring)
    for round in 0..<rounds {
        sender.send(Array(repeating: UInt8(truncatingIfNeeded: round), count: 10 + round % 5))
        if round % 4 == 3 { ring.reap() }
    }
    ring.reap()
    print(sender.bytesSent, sender.lastChecksum, arena.idle)
}

flood(10)
flood(3)
