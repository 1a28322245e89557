import CIndexStore

/// Takes apart what the reading process wrote. Nothing in it is trusted: what does not fit ends the reading.
struct IndexAnswer {
    var units: [IndexUnit] = []
    /// By the number of the request.
    var records: [Int: IndexRecord] = [:]
    /// Requests that the library refused.
    var failed: Set<Int> = []
    /// The last request that was begun.
    var begun = 0
    /// Every request was answered.
    var isWhole = false

    init(_ bytes: [UInt8]) {
        var reader = Reader(bytes: bytes)
        while !isWhole, let tag = reader.take4(), entry(gp_index_entry(tag), &reader) {}
        // A record that was not read to its end says too little.
        if !isWhole { records[begun] = nil }
    }

    /// False: the entry is cut off or unknown.
    private mutating func entry(_ tag: gp_index_entry, _ reader: inout Reader) -> Bool {
        switch tag {
        case GP_INDEX_BEGIN:
            guard let request = reader.take4() else { return false }
            begun = Int(request)
            records[begun] = IndexRecord()
        case GP_INDEX_UNIT:
            guard let seconds = reader.take8(), let nanoseconds = reader.take8(), reader.take4() != nil,
                let file = reader.takeText(), let module = reader.takeText()
            else { return false }
            let time = IndexUnit.Time(
                seconds: Int64(bitPattern: seconds), nanoseconds: Int64(bitPattern: nanoseconds))
            units.append(IndexUnit(file: file, module: module, written: time))
        case GP_INDEX_RECORD:
            guard let name = reader.takeText(), !units.isEmpty else { return false }
            units[units.count - 1].records.append(name)
        case GP_INDEX_IMPORT:
            guard let name = reader.takeText(), !units.isEmpty else { return false }
            units[units.count - 1].imports.append(name)
        case GP_INDEX_SYMBOL:
            guard let kind = reader.take4(), let subkind = reader.take4(), let roles = reader.take8(),
                let name = reader.takeText(), let usr = reader.takeText()
            else { return false }
            records[begun]?.symbols.append(
                IndexSymbol(kind: kind, subkind: subkind, roles: roles, name: name, usr: usr))
        case GP_INDEX_OCCURRENCE:
            guard let symbol = reader.take4(), let line = reader.take4(), let column = reader.take4(),
                let roles = reader.take8(), Int(symbol) < records[begun]?.symbols.count ?? 0
            else { return false }
            records[begun]?.occurrences.append(
                IndexOccurrence(
                    symbol: Int(symbol), line: Int(line), column: Int(column),
                    isDefinition: roles & UInt64(GP_INDEX_ROLE_DEFINITION.rawValue) != 0))
        case GP_INDEX_FAILED:
            guard let request = reader.take4(), reader.takeText() != nil else { return false }
            failed.insert(Int(request))
            records[Int(request)] = nil
        case GP_INDEX_END: isWhole = true
        default: return false
        }
        return true
    }

    private struct Reader {
        let bytes: [UInt8]
        var place = 0

        mutating func take4() -> UInt32? { take(UInt32.self) }
        mutating func take8() -> UInt64? { take(UInt64.self) }

        mutating func takeText() -> String? {
            guard let length = take4(), bytes.count - place >= Int(length) else { return nil }
            defer { place += Int(length) }
            return String(decoding: bytes[place..<(place + Int(length))], as: UTF8.self)
        }

        private mutating func take<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
            let size = MemoryLayout<Number>.size
            guard bytes.count - place >= size else { return nil }
            defer { place += size }
            return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: type) }
        }
    }
}
