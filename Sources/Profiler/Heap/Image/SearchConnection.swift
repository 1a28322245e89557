import CTraceFormat
import Foundation
import GameprofTrace

/// The stream to a frozen copy of a recorded process (HeapSearch.h). One thread listens and asks at a time; the memory may be
/// read by another one beside it.
final class SearchConnection: @unchecked Sendable {
    /// The copy has ended, or says what makes no sense.
    struct Broken: Error {}

    /// The longest message.
    static let most = Int(GP_SEARCH_MOST)

    /// The copy's process, as this process knows it.
    let peer: pid_t
    let user: uid_t
    /// The copy is one of this process.
    let isOwn: Bool
    private let descriptor: CInt
    /// Held from a question to its answer.
    private let turn = NSLock()
    /// Set when nothing more can be read or written: reading memory throws nothing.
    private(set) var isBroken = false

    /// Takes the descriptor of a connected socket over.
    init(_ descriptor: CInt, isOwn: Bool = false) {
        (self.descriptor, self.isOwn) = (descriptor, isOwn)
        (peer, user) = Self.peer(of: descriptor)
    }

    /// Who stands at the other end, as the kernel knows it.
    static func peer(of descriptor: CInt) -> (process: pid_t, user: uid_t) {
        // struct ucred: pid, uid, gid
        var credentials: (pid_t, uid_t, gid_t) = (0, uid_t.max, gid_t.max)
        var size = socklen_t(MemoryLayout.size(ofValue: credentials))
        _ = getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size)
        return (credentials.0, credentials.1)
    }

    deinit { close(descriptor) }

    // MARK: - Messages

    /// Waits for the next message.
    func next() throws -> HeapImageRecord {
        var head = gp_search_message()
        try withUnsafeMutableBytes(of: &head) { bytes in try receive(into: bytes) }
        guard head.size <= GP_SEARCH_MOST else { throw broken() }
        var bytes = [UInt8](repeating: 0, count: Int(head.size))
        try bytes.withUnsafeMutableBytes { bytes in try receive(into: bytes) }
        return HeapImageRecord(kind: head.kind, first: head.first, second: head.second, bytes: bytes)
    }

    func send(_ kind: Int, _ bytes: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)) throws {
        turn.lock()
        defer { turn.unlock() }
        try send(kind, 0, 0, bytes)
    }

    private func send(_ kind: Int, _ first: UInt64, _ second: UInt64, _ bytes: UnsafeRawBufferPointer) throws {
        let head = gp_search_message(kind: UInt32(kind), size: UInt32(bytes.count), first: first, second: second)
        try withUnsafeBytes(of: head) { bytes in try transmit(bytes) }
        try transmit(bytes)
    }

    /// Asks for each row; the answer has as many rows.
    func ask<Row: BitwiseCopyable, Answer: BitwiseCopyable>(_ kind: Int, _ rows: [Row], _ type: Answer.Type)
        throws -> [Answer]
    {
        let part = Self.most / max(MemoryLayout<Row>.stride, MemoryLayout<Answer>.stride)
        var answers: [Answer] = []
        for start in stride(from: 0, to: rows.count, by: part) {
            let asked = Array(rows[start..<min(rows.count, start + part)])
            let answer = try asked.withUnsafeBytes { bytes in
                try exchange(kind, 0, 0, bytes).rows(type)
            }
            guard answer.count == asked.count else { throw broken() }
            answers += answer
        }
        return answers
    }

    private func exchange(_ kind: Int, _ first: UInt64, _ second: UInt64, _ bytes: UnsafeRawBufferPointer)
        throws -> HeapImageRecord
    {
        turn.lock()
        defer { turn.unlock() }
        try send(kind, first, second, bytes)
        let message = try next()
        guard message.kind == UInt32(GP_SEARCH_ANSWER) else { throw broken() }
        return message
    }

    // MARK: - Memory

    /// Copies memory of the copy, as far as it can be read from the beginning on; how many bytes.
    func read(_ address: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var done = 0
        while done < buffer.count, !isBroken {
            let count = min(buffer.count - done, Self.most)
            guard let bytes = try? memory(address &+ UInt64(done), count), !bytes.isEmpty, bytes.count <= count else {
                break
            }
            UnsafeMutableRawBufferPointer(rebasing: buffer[done...]).copyBytes(from: bytes)
            done += bytes.count
            if bytes.count < count { break }
        }
        return done
    }

    private func memory(_ address: UInt64, _ count: Int) throws -> [UInt8] {
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        return try exchange(Int(GP_SEARCH_READ), address, UInt64(count), nothing).bytes
    }

    // MARK: - The stream

    private func broken() -> Broken {
        isBroken = true
        return Broken()
    }

    private func receive(into buffer: UnsafeMutableRawBufferPointer) throws {
        var done = 0
        while done < buffer.count {
            let count = recv(descriptor, buffer.baseAddress! + done, buffer.count - done, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw broken() }
            done += count
        }
    }

    private func transmit(_ bytes: UnsafeRawBufferPointer) throws {
        var done = 0
        while done < bytes.count {
            let count = Foundation.send(descriptor, bytes.baseAddress! + done, bytes.count - done, CInt(MSG_NOSIGNAL))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw broken() }
            done += count
        }
    }
}

extension HeapImageRecord {
    /// The bytes as rows of this type; what is left over at the end is ignored.
    func rows<Row: BitwiseCopyable>(_ type: Row.Type = Row.self) -> [Row] {
        bytes.withUnsafeBytes { bytes in
            (0..<bytes.count / MemoryLayout<Row>.stride).map {
                bytes.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Row>.stride, as: type)
            }
        }
    }
}
