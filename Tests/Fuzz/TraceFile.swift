// The reader of traces. The first byte chooses: the records of one chunk, or a whole file, compressed or not, with a spool.
// Sources: Sources/Profiler/Trace Tests/Support/TraceBuilding
import CTraceFormat
import Foundation

/// What every fuzzed trace is written to; in memory where the system has such a folder.
private let path: String = {
    let shared = "/dev/shm"
    let folder = access(shared, W_OK) == 0 ? shared : NSTemporaryDirectory()
    return "\(folder)/gameprof-fuzz-\(getpid()).gptrace"
}()

private let removeFiles: Void = {
    atexit {
        unlink(path)
        unlink(Spool.path(of: path))
    }
}()

/// Reads all records of a chunk as every user of the reader does, and prints them.
private func readChunk(_ payload: UnsafeRawBufferPointer) {
    var bytes = [UInt8](repeating: 0, count: Chunk.headerSize)
    bytes += payload
    bytes.withUnsafeBytes { bytes in
        let chunk = Chunk(sequence: 1, startTime: 0, thread: ThreadID(1), bytes: bytes)
        var cursor = RecordCursor(chunk)
        while let bytes = cursor.next() {
            guard let record = RecordDecoder.decode(bytes) else { continue }
            _ = TraceDump.line(record)
            // What was read can be written, and read again as the same.
            let again = RecordEncoder.encode(record)
            again.withUnsafeBytes { again in
                guard let second = RecordDecoder.decode(again) else { fatalError("\(record) cannot be read again") }
                precondition(TraceDump.line(second) == TraceDump.line(record), "\(record) changes")
            }
        }
    }
}

private func write(_ bytes: [UInt8], to path: String) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    precondition(file >= 0 && write(file, bytes, bytes.count) == bytes.count, "\(path) cannot be written")
    close(file)
}

private let chunkSize = 4096

/// A file's first block: right, but for what the input says.
private func fileHeader(_ input: inout Slice<UnsafeRawBufferPointer>, isCompressed: Bool) -> [UInt8] {
    var header = gp_file_header()
    withUnsafeMutableBytes(of: &header.magic) { $0.copyBytes(from: GP_TRACE_MAGIC.utf8) }
    header.version = GP_TRACE_VERSION
    header.chunk_size = UInt32(chunkSize)
    header.flags = isCompressed ? UInt32(GP_FILE_COMPRESSED) : 0
    var bytes = withUnsafeBytes(of: header) { Array($0) }
    bytes += [UInt8](repeating: 0, count: chunkSize - bytes.count)
    if let place = input.popFirst(), let value = input.popFirst(), place < 64 { bytes[Int(place)] ^= value }
    return bytes
}

/// Chunks with a header that is right, but for what the input says; each has a length and its bytes.
private func blocks(_ input: inout Slice<UnsafeRawBufferPointer>) -> [[UInt8]] {
    var result: [[UInt8]] = []
    while result.count < 4, let length = input.popFirst(), let place = input.popFirst(), let value = input.popFirst() {
        let payload = input.prefix(Int(length) * 8)
        input = input.dropFirst(payload.count)
        var header = gp_chunk_header()
        header.magic = GP_CHUNK_MAGIC
        header.sequence = UInt64(result.count + 1)
        header.used = UInt32(Chunk.headerSize + payload.count)
        var bytes = withUnsafeBytes(of: header) { Array($0) } + payload
        bytes += [UInt8](repeating: 0, count: chunkSize - bytes.count)
        if place < 32 { bytes[Int(place)] ^= value }
        result.append(bytes)
    }
    return result
}

private func packed(_ block: [UInt8], claims: UInt8) -> [UInt8] {
    var target = [UInt8](repeating: 0, count: Zstd.bound(block.count))
    let count = block.withUnsafeBytes { block in
        target.withUnsafeMutableBytes { Zstd.compress(block, into: $0) ?? 0 }
    }
    let head = gp_packed_chunk(
        packed_size: UInt32(count), raw_size: UInt32(claims == 0 ? block.count : Int(claims) * 16))
    return withUnsafeBytes(of: head) { Array($0) } + target.prefix(count)
}

private func readFile(_ bytes: UnsafeRawBufferPointer, isCompressed: Bool) {
    _ = removeFiles
    var input = bytes[...]
    var file = fileHeader(&input, isCompressed: isCompressed)
    let cut = Int(input.popFirst() ?? 0)
    let spoolBlocks = input.popFirst() ?? 0
    let claims = input.popFirst() ?? 0
    unlink(Spool.path(of: path))
    if isCompressed {
        for block in blocks(&input) { file += packed(block, claims: claims) }
        file += input
    } else if spoolBlocks > 0 {
        var spool = gp_spool_header()
        withUnsafeMutableBytes(of: &spool.magic) { $0.copyBytes(from: GP_SPOOL_MAGIC.utf8) }
        spool.version = GP_TRACE_VERSION
        spool.blocks = UInt32(spoolBlocks)
        spool.next_sequence = UInt64(claims)
        var bytes = withUnsafeBytes(of: spool) { Array($0) }
        bytes += [UInt8](repeating: 0, count: chunkSize - bytes.count)
        for block in blocks(&input) { bytes += block }
        write(bytes, to: Spool.path(of: path))
        file += input
    } else {
        for block in blocks(&input) { file += block }
    }
    file.removeLast(min(cut, file.count))
    write(file, to: path)
    do {
        let reader = try TraceReader(path: path)
        var count = 0
        try reader.readRecords { record, position in
            _ = TraceDump.line(record, at: position)
            count += 1
        }
        let starts = (0..<reader.chunkCount).map { TimeOrder.Start(index: $0, time: 0, sequence: UInt64($0)) }
        try TimeOrder(reader: reader, starts: starts).forEachRun { _, _ in true }
        _ = reader.damage.sentences
    } catch {
        precondition("\(error)".hasSuffix("."), "an error is a sentence")
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTraceFile(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    let bytes = UnsafeRawBufferPointer(start: data, count: size)
    guard let choice = bytes.first else { return 0 }
    let rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
    switch choice % 8 {
    case 0: readFile(rest, isCompressed: true)
    case 1: readFile(rest, isCompressed: false)
    default: readChunk(rest)
    }
    return 0
}
