extension Symbolicator {
    /// Names for a trace to hold.
    public struct Records {
        public var symbols: [TraceRecord.Symbol] = []
        /// Addresses that are named, images whose symbols are stored.
        public var addresses = 0
        public var images = 0
        /// Paths of images whose symbols are not.
        public var unnamed: [String] = []
    }

    /// More addresses are not stored, which bounds what they take: about 60 bytes each before compression.
    private static let addressLimit = 1 << 20

    /// The names of all addresses that a report can ask for, with their lines and inlined functions. Of an image whose file
    /// is gone, or is another build's, nothing is stored.
    public func records() -> Records {
        var result = Records()
        var texts: [String: UInt32] = [:]
        func id(_ text: String?) -> UInt32 {
            guard let text else { return 0 }
            if let known = texts[text] { return known }
            let id = UInt32(texts.count + 1)
            texts[text] = id
            result.symbols.append(.text(SymbolTextRecord(id: id, text: text)))
            return id
        }
        let code = byImage(codeAddresses)
        let variables = byImage(variableAddresses)
        var room = Self.addressLimit
        for image in recording.images.images where code[image.id] != nil || variables[image.id] != nil {
            let opened = open(image)
            guard opened.detail != nil else {
                let path = image.record.path.isEmpty ? recording.program?.executable ?? "" : image.record.path
                if path.hasPrefix("/") { result.unnamed.append(path) }
                continue
            }
            let addresses = (code[image.id] ?? []).sorted()
            room -= addresses.count
            guard room >= 0 else { break }
            for (address, located) in zip(addresses, opened.located(addresses)) {
                let locations = located.locations.map { location in
                    SymbolRecord.Location(
                        symbol: id(location.symbol), file: id(location.file), line: UInt32(clamping: location.line ?? 0)
                    )
                }
                result.symbols.append(
                    .address(SymbolRecord(address: address, start: located.start ?? 0, locations: locations)))
            }
            for address in (variables[image.id] ?? []).sorted() {
                guard let symbol = opened.variableSymbol(at: address) else { continue }
                result.symbols.append(
                    .address(SymbolRecord(kind: .variable, address: address, locations: [.init(symbol: id(symbol))])))
            }
            result.symbols.append(
                .source(
                    SymbolSourceRecord(
                        detail: opened.detail ?? .names, start: image.record.start, buildID: image.record.buildID,
                        path: opened.path)))
            result.addresses += addresses.count
            result.images += 1
        }
        return result
    }

    private func byImage(_ addresses: Set<UInt64>) -> [ImageID: [UInt64]] {
        var result: [ImageID: [UInt64]] = [:]
        for address in addresses {
            if let image = recording.images.image(at: address) { result[image.id, default: []].append(address) }
        }
        return result
    }

    /// Frames of all stacks, closures and destroyers, the callers of frames that hold objects, members of zombies.
    private var codeAddresses: Set<UInt64> {
        var result: Set<UInt64> = []
        for id in 1..<UInt32(max(1, recording.frames.count)) {
            if let frame = recording.frames.frame(FrameID(id)) { result.insert(Self.lookupAddress(frame)) }
        }
        for snapshot in recording.heapSnapshots {
            result.formUnion(snapshot.references.map(\.function))
            for root in Self.roots(snapshot) where root.pc > 0 { result.insert(root.pc - 1) }
            for task in snapshot.tasks?.tasks ?? [] { result.formUnion(task.resume + task.begin) }
        }
        result.formUnion(recording.types.ids.compactMap { recording.types.record($0)?.destroyer })
        for zombie in recording.zombies { result.formUnion([zombie.member, zombie.pc]) }
        result.remove(0)
        return result
    }

    private var variableAddresses: Set<UInt64> {
        let snapshots = recording.heapSnapshots
        return Set(snapshots.flatMap { Self.roots($0).filter { $0.kind == .global }.map(\.address) })
            .union(snapshots.flatMap { ($0.tasks?.tasks ?? []).compactMap(\.status.variable) })
    }

    private static func roots(_ snapshot: HeapSnapshot) -> [HeapRoot] { snapshot.roots + (snapshot.graph?.roots ?? []) }
}
