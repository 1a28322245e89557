import Foundation

/// Loses a block of raw memory.
enum MallocLeak: Fault {
    static let name = "malloc-leak"
    static let summary = "A block of 1,234 bytes from malloc is never freed."
    static let byteCount = 1_234

    static func commit(presses: Int) {
        for _ in 0..<presses {
            let sum = writeLetter()
            say("lost \(byteCount) bytes of malloc, their sum was \(sum)")
        }
    }

    @inline(never)
    static func writeLetter() -> Int {
        let letter = allocateBuffer()
        return sum(of: UnsafeRawBufferPointer(letter))
    }

    @inline(never)
    static func allocateBuffer() -> UnsafeMutableRawBufferPointer {
        let buffer = UnsafeMutableRawBufferPointer(start: malloc(byteCount), count: byteCount)
        for index in buffer.indices {
            buffer[index] = UInt8(truncatingIfNeeded: index)
        }
        return buffer
    }

    @inline(never)
    static func sum(of bytes: UnsafeRawBufferPointer) -> Int {
        bytes.reduce(0) { $0 + Int($1) }
    }
}

// MARK: The cure: whoever took a block frees it

extension MallocLeak {
    static func commitCured(presses: Int) {
        for _ in 0..<presses {
            let letter = allocateBuffer()
            defer { free(letter.baseAddress) }
            say("freed \(byteCount) bytes of malloc, their sum was \(sum(of: UnsafeRawBufferPointer(letter)))")
        }
    }
}
