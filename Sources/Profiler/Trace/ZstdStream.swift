import CGameprofZstd

/// Frames of zstd, one after the other, that are decompressed piece by piece.
package final class ZstdStream {
    private let context: OpaquePointer

    /// Whether bytes begin as a frame does.
    package static func isPacked(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.prefix(4).elementsEqual([0x28, 0xb5, 0x2f, 0xfd])
    }

    /// Nil: there is no memory for it.
    package init?() {
        guard let context = ZSTD_createDCtx() else { return nil }
        self.context = context
    }

    deinit { ZSTD_freeDCtx(context) }

    /// Decompresses what there is room for.
    /// - Returns: bytes that were taken and given; nil: they are damaged.
    package func next(
        _ packed: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
    ) -> (taken: Int, given: Int)? {
        var input = ZSTD_inBuffer(src: packed.baseAddress, size: packed.count, pos: 0)
        var output = ZSTD_outBuffer(dst: room.baseAddress, size: room.count, pos: 0)
        guard ZSTD_isError(ZSTD_decompressStream(context, &output, &input)) == 0 else { return nil }
        return (input.pos, output.pos)
    }
}
