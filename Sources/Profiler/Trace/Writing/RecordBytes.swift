import CTraceFormat

/// The bytes of a record: what `RecordDecoder` reads. The tool writes the program's end, what was lost and
/// names.
package enum RecordBytes {
    /// How the program ended.
    package static func programExit(_ r: ProgramExitRecord) -> [UInt8] {
        var raw = gp_program_exit()
        raw.wall_ns = r.wall
        raw.memory_kills = r.memoryKills
        switch r.status {
        case .code(let code):
            raw.status = code
            return join(GP_PROGRAM_EXIT, raw)
        case .signal(let signal):
            raw.status = signal
            return join(GP_PROGRAM_EXIT, raw, flags: 1)
        }
    }

    /// What was about to end the program.
    package static func crash(_ r: CrashRecord) -> [UInt8] {
        join(
            GP_CRASH,
            gp_crash(
                header: gp_record_header(), signal: UInt32(bitPattern: r.signal), thread: r.thread.rawValue,
                stack: r.stack.rawValue, has_address: r.address == nil ? 0 : 1, address: r.address ?? 0,
                time_ns: r.time, calls: r.calls), r.message, flags: r.isStackOverflow ? 1 : 0)
    }

    /// A type's number.
    package static func type(_ r: TypeRecord) -> [UInt8] {
        cell(
            gp_type(
                kind: UInt8(GP_TYPE), reserved: 0, metadata_high: UInt16(truncatingIfNeeded: r.metadata >> 32),
                metadata_low: UInt32(truncatingIfNeeded: r.metadata), id: r.id.rawValue, reserved2: 0))
    }

    /// A type's name.
    package static func typeName(_ r: TypeNameRecord) -> [UInt8] {
        var raw = gp_type_name()
        raw.metadata = r.metadata
        raw.descriptor = r.descriptor
        raw.destroy = r.destroy
        return join(GP_TYPE_NAME, raw, r.name, flags: r.kind.rawValue)
    }

    /// What was lost.
    package static func loss(_ r: RemarkRecord) -> [UInt8] { remark(GP_LOSS, r) }

    package static func remark(_ kind: Int, _ r: RemarkRecord) -> [UInt8] {
        var raw = gp_loss()
        raw.events = r.events
        return join(kind, raw, r.sentence)
    }

    /// A name that is stored after the recording.
    package static func symbol(_ record: TraceRecord.Symbol) -> [UInt8] {
        switch record {
        case .text(let r):
            return join(GP_SYMBOL_TEXT, gp_symbol_text(header: gp_record_header(), id: r.id, reserved: 0), r.text)
        case .address(let r):
            let most = room(after: gp_symbol.self) / MemoryLayout<gp_symbol_location>.size
            let locations = r.locations.prefix(most).flatMap {
                cell(gp_symbol_location(symbol: $0.symbol, file: $0.file, line: $0.line))
            }
            return join(
                GP_SYMBOL, gp_symbol(header: gp_record_header(), address: r.address, start: r.start), bytes: locations,
                flags: r.kind.rawValue)
        case .source(let r):
            var raw = gp_symbol_source()
            raw.start = r.start
            raw.build_id_size = UInt8(min(r.buildID.count, 31))
            withUnsafeMutableBytes(of: &raw.build_id) { $0.copyBytes(from: r.buildID.prefix(31)) }
            return join(GP_SYMBOL_SOURCE, raw, r.path, flags: r.detail.rawValue)
        }
    }

    package static func cell<T: BitwiseCopyable>(_ value: T) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }

    /// A record of several cells: `fixed` begins with its header, which is filled in here. A text that does not fit into
    /// a chunk is shortened at its end.
    package static func join<T: BitwiseCopyable>(
        _ kind: Int, _ fixed: T, _ text: String = "", flags: UInt8 = 0
    ) -> [UInt8] {
        join(kind, fixed, bytes: text.utf8.prefix(room(after: T.self)), flags: flags)
    }

    /// Bytes that fit into a chunk behind the fixed part of a record.
    package static func room<T>(after type: T.Type) -> Int {
        Int(GP_CHUNK_SIZE) - MemoryLayout<gp_chunk_header>.size - MemoryLayout<T>.size
    }

    package static func join<T: BitwiseCopyable>(
        _ kind: Int, _ fixed: T, bytes tail: some Sequence<UInt8>, flags: UInt8 = 0
    ) -> [UInt8] {
        var bytes = cell(fixed) + tail
        let size = bytes.count
        let cells = (size + 15) / 16
        bytes += [UInt8](repeating: 0, count: cells * 16 - size)
        let header = gp_record_header(kind: UInt8(kind), flags: flags, cells: UInt16(cells), size: UInt32(size))
        bytes.replaceSubrange(0..<MemoryLayout<gp_record_header>.size, with: cell(header))
        return bytes
    }
}
