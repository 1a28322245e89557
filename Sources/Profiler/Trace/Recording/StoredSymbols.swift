/// The names that a trace holds itself, of the images whose symbols are stored in it.
public struct StoredSymbols: Sendable {
    /// A function at an address, or the variable that holds it.
    public struct Location: Hashable, Sendable {
        /// As the linker knows it.
        public var symbol: String
        public var file: String?
        public var line: Int?
    }

    private struct Image: Hashable {
        var start: UInt64
        var buildID: [UInt8]
    }

    private var texts: [UInt32: String] = [:]
    private var code: [UInt64: SymbolRecord] = [:]
    private var variables: [UInt64: SymbolRecord] = [:]
    private var sources: [Image: SymbolSourceRecord] = [:]

    public init() {}

    public mutating func add(_ record: TraceRecord.Symbol) {
        switch record {
        case .text(let record): texts[record.id] = record.text
        case .address(let record) where record.kind == .code: code[record.address] = record
        case .address(let record): variables[record.address] = record
        case .source(let record): sources[Image(start: record.start, buildID: record.buildID)] = record
        }
    }

    /// Where the symbols of an image come from; nil: they are not stored.
    public func source(of image: ImageRecord) -> SymbolSourceRecord? {
        sources[Image(start: image.start, buildID: image.buildID)]
    }

    /// What stands at an address of code, innermost first.
    public func code(at address: UInt64) -> [Location] { code[address].map(locations) ?? [] }

    /// Where the function without a symbol at an address begins, an address of the file; nil: not known.
    public func start(at address: UInt64) -> UInt64? {
        code[address].flatMap { $0.start == 0 ? nil : $0.start }
    }

    /// The variable that holds an address.
    public func variable(at address: UInt64) -> String? { variables[address].flatMap { locations($0).first?.symbol } }

    private func locations(_ record: SymbolRecord) -> [Location] {
        record.locations.compactMap { location in
            guard let symbol = texts[location.symbol] else { return nil }
            let file = location.line > 0 ? texts[location.file] : nil
            return Location(symbol: symbol, file: file, line: file == nil ? nil : Int(location.line))
        }
    }
}
