import GameprofBasics

/// One image of the recorded process with its symbols: those that the trace holds, or those of its file.
final class SymbolImage {
    /// What is known of an address.
    struct Located {
        /// Innermost first; empty: no symbol.
        var locations: [LLVMSymbolizer.Location] = []
        /// Where a function without a symbol begins, an address of the file; nil: not known.
        var start: UInt64?
    }

    private enum Source {
        case file(ImageSymbols)
        case trace(StoredSymbols)
    }

    let record: ImageRecord
    /// What its symbols give; nil: it has none.
    private(set) var detail: SymbolSourceRecord.Detail?
    /// The file that its symbols are of.
    let path: String
    private let name: String
    private let source: Source
    private let symbolizer: Symbolizer?
    private let packages: PackageSources
    /// Names by linkage name, where the symbols are the trace's own.
    private var names: [String: SymbolName] = [:]

    /// Why its symbols cannot be used, nil when they can, or when the kernel made the image and there is none.
    let problem: String?

    /// An image whose symbols are read from files.
    init(
        record: ImageRecord, path: String, symbols: ImageSymbols, symbolizer: Symbolizer?, packages: PackageSources
    ) {
        (self.record, self.packages) = (record, packages)
        self.path = symbols.files.symbols?.path ?? path
        self.symbolizer = symbolizer
        name = Self.name(of: path)
        source = .file(symbols)
        problem = symbols.files.problem
        detail = symbols.files.symbols.map { file in
            guard file.hasDebugInformation else { return .names }
            return symbols.isUnread ? .unread : symbolizer.map { $0.isOfToolchain ? .lines : .foreign } ?? .unread
        }
    }

    /// An image whose symbols the trace holds.
    init(
        record: ImageRecord, path: String, stored: SymbolSourceRecord, in symbols: StoredSymbols,
        packages: PackageSources
    ) {
        (self.record, self.packages) = (record, packages)
        self.path = stored.path
        symbolizer = nil
        name = Self.name(of: path)
        source = .trace(symbols)
        problem = nil
        detail = stored.detail
    }

    private static func name(of path: String) -> String { String(path.split(separator: "/").last ?? "?") }

    private var image: ImageSymbols? {
        if case .file(let image) = source { image } else { nil }
    }

    /// The frames of each address of the process, innermost first.
    func frames(of addresses: [UInt64]) -> [[SymbolicatedFrame]] {
        zip(addresses, located(addresses)).map { address, located in
            let locations = located.locations
            guard !locations.isEmpty else { return [unnamed(address &- record.bias, start: located.start)] }
            return locations.indices.map { frame(locations[$0], isInlined: $0 < locations.count - 1) }
        }
    }

    /// What is known of each address of the process.
    func located(_ addresses: [UInt64]) -> [Located] {
        if case .trace(let stored) = source {
            return addresses.map { address in
                let locations = stored.code(at: address).map {
                    LLVMSymbolizer.Location(symbol: $0.symbol, file: $0.file, line: $0.line)
                }
                return Located(locations: locations, start: stored.start(at: address))
            }
        }
        let offsets = addresses.map { $0 &- record.bias }
        guard let image, image.isShared else { return located(inFile: offsets) }
        let unknown = Set(offsets.filter { image.located[$0] == nil }).sorted()
        for (offset, located) in zip(unknown, located(inFile: unknown)) { image.located[offset] = located }
        return offsets.map { image.located[$0] ?? Located() }
    }

    /// What is known of each address of the file.
    private func located(inFile offsets: [UInt64]) -> [Located] {
        var answers: [[LLVMSymbolizer.Location]]?
        if let symbolizer, let file = image?.files.symbols, !offsets.isEmpty {
            let tool = LLVMSymbolizer(path: symbolizer.path)
            answers = tool.locations(of: offsets, in: file.path).map {
                placingForwarders($0, at: offsets, tool)
            }
            if answers == nil, file.hasDebugInformation {
                detail = .unread
                image?.isUnread = true
            }
        }
        return offsets.indices.map { index in
            var locations = answers?[index] ?? []
            if locations.isEmpty, let symbol = image?.symbols?.name(at: offsets[index]) {
                locations = [LLVMSymbolizer.Location(symbol: symbol, file: nil, line: nil)]
            }
            return Located(
                locations: locations, start: locations.isEmpty ? image?.functions?.start(of: offsets[index]) : nil)
        }
    }

    /// The compiler's forwarder to a closure has no line: asked for itself, it gets that of its closure.
    private func placingForwarders(
        _ located: [[LLVMSymbolizer.Location]], at offsets: [UInt64], _ symbolizer: LLVMSymbolizer
    ) -> [[LLVMSymbolizer.Location]] {
        var result = located
        var forwarders: [(index: Int, closure: String)] = []
        for (index, locations) in located.enumerated() {
            guard let last = locations.last, last.isStart, last.line == nil,
                let closure = ClosureSymbol.closure(ofForwarder: last.symbol)
            else { continue }
            if let place = Self.declaration(of: closure, in: [locations]) {
                result[index][locations.count - 1].place(at: place)
            } else {
                forwarders.append((index, closure))
            }
        }
        guard !forwarders.isEmpty else { return result }
        let closures = Set(forwarders.map(\.closure))
        let bodies = image?.symbols?.addresses(of: closures, calling: ClosureSymbol.closure(ofBody:)) ?? [:]
        // A closure that was inlined into its forwarder stands somewhere behind the forwarder's first instruction.
        let ranges = forwarders.map { index, closure -> Range<UInt64> in
            if let body = bodies[closure] { return body..<max(body, body &+ 1) }
            let start = offsets[index]
            return start..<max(start, min(image?.symbols?.end(of: start) ?? start, start &+ Self.longestForwarder))
        }
        guard let found = symbolizer.locations(of: ranges.flatMap { Array($0) }, in: path) else { return result }
        var next = 0
        for ((index, closure), range) in zip(forwarders, ranges) {
            let parts = found[next..<next + range.count]
            next += range.count
            guard let place = Self.declaration(of: closure, in: parts) else { continue }
            result[index][result[index].count - 1].place(at: place)
        }
        return result
    }

    /// Bytes of a forwarder that are searched for its closure.
    private static let longestForwarder: UInt64 = 512

    private static func declaration(
        of closure: String, in answers: some Sequence<[LLVMSymbolizer.Location]>
    ) -> LLVMSymbolizer.Declaration? {
        let named = answers.lazy.flatMap { $0 }.filter { ClosureSymbol.closure(ofBody: $0.symbol) == closure }
        if let declared = named.compactMap(\.declaration).first { return declared }
        return named.compactMap { location in
            location.file.flatMap { file in location.line.map { LLVMSymbolizer.Declaration(file: file, line: $0) } }
        }.first
    }

    /// The symbol of the variable whose memory holds an address of the process; nil: not known.
    func variableSymbol(at address: UInt64) -> String? {
        if case .trace(let stored) = source { return stored.variable(at: address) }
        return image?.variables?.name(at: address &- record.bias)
    }

    /// The variable whose memory holds an address of the process.
    func variable(at address: UInt64) -> SymbolicatedVariable {
        guard let symbol = variableSymbol(at: address) else {
            let origin = FrameClassifier.origin(of: SymbolName(symbol: ""), image: name, symbol: "")
            return SymbolicatedVariable(name: "", image: name, origin: origin)
        }
        let symbolName = SymbolName(symbol: symbol)
        var variable = SymbolicatedVariable(
            name: Demangler.ofCxx(symbol) ?? FunctionName.display(symbolName.function), image: name,
            origin: FrameClassifier.origin(of: symbolName, image: name, symbol: symbol))
        variable.type = Demangler.full(symbol).flatMap(FunctionName.typeOfVariable)
        return variable
    }

    private func frame(_ location: LLVMSymbolizer.Location, isInlined: Bool) -> SymbolicatedFrame {
        let name = image?.names[location.symbol] ?? names[location.symbol] ?? SymbolName(symbol: location.symbol)
        if let image { image.names[location.symbol] = name } else { names[location.symbol] = name }
        let isRecorder = FrameClassifier.isRecorder(file: location.file)
        let isCompilerMade = location.file?.hasSuffix("<compiler-generated>") ?? false
        let origin = FrameClassifier.origin(of: name, image: self.name, symbol: location.symbol, file: location.file)
        // The user's code is that of the package's own targets.
        let isPackages = packages.hold(location.file)
        var frame = SymbolicatedFrame(
            function: name.function, module: name.module.isEmpty ? self.name : name.module, image: self.name,
            file: isCompilerMade ? nil : location.file, line: isCompilerMade ? nil : location.line,
            isInlined: isInlined,
            origin: isRecorder ? .runtime : isPackages && origin == .user ? .library : origin,
            isRuntimeSupport: isRecorder
                || FrameClassifier.isRuntimeSupport(
                    name, image: self.name, symbol: location.symbol, file: location.file)
        )
        (frame.returnsValue, frame.isOfPackage, frame.isMerged) = (name.returnsValue, isPackages, name.isMerged)
        return frame
    }

    private func unnamed(_ offset: UInt64, start: UInt64?) -> SymbolicatedFrame {
        let none = SymbolName(symbol: "")
        func place(_ offset: UInt64) -> String { "\(name)+0x\(String(offset, radix: 16))" }
        return SymbolicatedFrame(
            function: place(offset), module: name, image: name,
            origin: FrameClassifier.origin(of: none, image: name, symbol: ""),
            isRuntimeSupport: FrameClassifier.isRuntimeSupport(none, image: name, symbol: ""),
            start: start.map(place))
    }
}
