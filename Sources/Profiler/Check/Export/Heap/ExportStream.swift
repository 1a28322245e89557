/// Collects the bytes of an export and passes them on in pieces, so that a file may be larger than memory.
public final class ExportStream {
    private static let pieceSize = 1 << 18

    private var buffer: [UInt8] = []
    private let pass: ([UInt8]) throws -> Void

    /// - Parameter pass: receives the bytes in order; what it throws ends the export.
    public init(_ pass: @escaping ([UInt8]) throws -> Void) {
        self.pass = pass
        buffer.reserveCapacity(Self.pieceSize + 4096)
    }

    func put(_ byte: UInt8) throws {
        buffer.append(byte)
        try passFull()
    }

    func put(_ bytes: some Collection<UInt8>) throws {
        buffer.append(contentsOf: bytes)
        try passFull()
    }

    func put(_ text: String) throws { try put(text.utf8) }

    /// In decimal digits.
    func put(decimal number: UInt64) throws {
        var rest = number
        let start = buffer.count
        repeat {
            buffer.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        buffer[start...].reverse()
        try passFull()
    }

    /// So many zeros.
    func put(zeros count: UInt64) throws {
        var rest = count
        while rest > 0 {
            let piece = min(rest, UInt64(Self.pieceSize))
            buffer += [UInt8](repeating: 0, count: Int(piece))
            rest -= piece
            try passFull()
        }
    }

    private func passFull() throws {
        if buffer.count >= Self.pieceSize { try finish() }
    }

    /// Passes on what is left.
    public func finish() throws {
        guard !buffer.isEmpty else { return }
        try pass(buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}
