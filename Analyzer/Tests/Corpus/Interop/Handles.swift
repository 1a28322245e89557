import Foundation

final class Decoder {
    var frames = 0
}

/// A C library takes a pointer and gives it back in its callbacks.
final class DecoderBridge {
    private var context: UnsafeMutableRawPointer?
    private let decoder = Decoder()

    func open() {
        context = Unmanaged.passRetained(decoder).toOpaque()  // no-finding: unmanaged
        decoder_open(context) { pointer in
            guard let pointer else { return }
            let decoder = Unmanaged<Decoder>.fromOpaque(pointer).takeUnretainedValue()  // no-finding: unmanaged
            decoder.frames += 1
        }
    }

    func close() {
        guard let context else { return }
        Unmanaged<Decoder>.fromOpaque(context).release()  // no-finding: unmanaged
        self.context = nil
    }

    func peek() -> Int {
        let pointer = Unmanaged.passUnretained(decoder).toOpaque()  // no-finding: unmanaged
        return Unmanaged<Decoder>.fromOpaque(pointer).takeUnretainedValue().frames
    }
}

func decoder_open(
    _ context: UnsafeMutableRawPointer?, _ callback: (UnsafeMutableRawPointer?) -> Void
) {
    callback(context)
}

enum Handles {
    static func leak(_ decoder: Decoder) -> Decoder {
        Unmanaged.passRetained(decoder).takeUnretainedValue()  // doubt: unmanaged
    }

    static func pin(_ decoder: Decoder) {
        _ = Unmanaged.passRetained(decoder)  // doubt: unmanaged
    }

    static func over(_ decoder: Decoder) {
        Unmanaged.passUnretained(decoder).release()  // doubt: unmanaged
    }

    static func steal(_ decoder: Decoder) -> Decoder {
        Unmanaged.passUnretained(decoder).takeRetainedValue()  // doubt: unmanaged
    }

    static func balanced(_ decoder: Decoder) -> Int {
        let handle = Unmanaged.passRetained(decoder)  // no-finding: unmanaged
        defer { handle.release() }
        return handle.takeUnretainedValue().frames
    }

    static func sometimes(_ decoder: Decoder) -> Int {
        let handle = Unmanaged.passRetained(decoder)  // suspect: unmanaged
        guard decoder.frames > 0 else { return 0 }
        let frames = handle.takeUnretainedValue().frames
        handle.release()
        return frames
    }

    static func always(_ decoder: Decoder) -> Int {
        let handle = Unmanaged.passRetained(decoder)  // no-finding: unmanaged
        if decoder.frames == 0 {
            handle.release()
            return 0
        }
        return handle.takeRetainedValue().frames
    }

    static func twice(_ decoder: Decoder) -> Int {
        let handle = Unmanaged.passRetained(decoder)
        let first = handle.takeRetainedValue()
        let second = handle.takeRetainedValue()  // suspect: unmanaged
        return first.frames + second.frames
    }

    static func extended(_ decoder: Decoder) -> Int {
        let pointer = Unmanaged.passUnretained(decoder).toOpaque()  // no-finding: unmanaged
        return withExtendedLifetime(decoder) { pointer.hashValue }
    }
}

enum Pins {
    static func hold(_ decoder: Decoder) {
        _ = Unmanaged.passUnretained(decoder).retain()  // doubt: unmanaged
    }
}
