import CGameprofZstd

/// libzstd, for whole chunks.
enum Zstd {
    /// The most that `size` bytes can become.
    static func bound(_ size: Int) -> Int { ZSTD_compressBound(size) }

    /// A context that is kept: a new one for each chunk would cost its pages.
    final class Decompressor {
        private let context = ZSTD_createDCtx()

        deinit { ZSTD_freeDCtx(context) }

        /// Decompresses `source` into `target` and returns how many bytes it gave; nil when it is damaged or too large.
        func decompress(_ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) -> Int? {
            guard let context else { return nil }
            let count = ZSTD_decompressDCtx(
                context, target.baseAddress, target.count, source.baseAddress, source.count)
            return ZSTD_isError(count) == 0 ? count : nil
        }
    }

    /// Compresses `source` into `target`, which must have room for `bound(source.count)`; nil when it has not.
    static func compress(
        _ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer, level: Int32 = 1
    ) -> Int? {
        let count = ZSTD_compress(target.baseAddress, target.count, source.baseAddress, source.count, level)
        return ZSTD_isError(count) == 0 ? count : nil
    }
}
