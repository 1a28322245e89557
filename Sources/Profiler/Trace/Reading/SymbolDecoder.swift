import CTraceFormat

extension RecordFields {
    func symbolText() -> TraceRecord? {
        fixed(gp_symbol_text.self).map {
            .symbol(.text(SymbolTextRecord(id: $0.id, text: text(after: gp_symbol_text.self))))
        }
    }

    func symbol() -> TraceRecord? {
        guard let raw = fixed(gp_symbol.self), let kind = SymbolRecord.Kind(rawValue: header.flags) else { return nil }
        let size = MemoryLayout<gp_symbol_location>.size
        let first = MemoryLayout<gp_symbol>.size
        let locations = (0..<(bytes.count - first) / size).map { index in
            let raw = bytes.loadUnaligned(fromByteOffset: first + index * size, as: gp_symbol_location.self)
            return SymbolRecord.Location(symbol: raw.symbol, file: raw.file, line: raw.line)
        }
        return .symbol(
            .address(SymbolRecord(kind: kind, address: raw.address, start: raw.start, locations: locations)))
    }

    func symbolSource() -> TraceRecord? {
        guard let raw = fixed(gp_symbol_source.self),
            let detail = SymbolSourceRecord.Detail(rawValue: header.flags)
        else { return nil }
        let buildID = withUnsafeBytes(of: raw.build_id) { Array($0.prefix(Int(raw.build_id_size))) }
        return .symbol(
            .source(
                SymbolSourceRecord(
                    detail: detail, start: raw.start, buildID: buildID, path: text(after: gp_symbol_source.self))))
    }
}
