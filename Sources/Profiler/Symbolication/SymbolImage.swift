import Foundation
import TraceFile

/// One image of the recorded process with its symbols, as far as its file is still the one that was recorded.
final class SymbolImage {
    private let record: ImageRecord
    private let path: String
    private let name: String
    private let file: ELFFile?
    private lazy var symbols = file.map { ELFSymbols($0) }
    private lazy var functions = file.map { ELFFunctions($0) }
    private lazy var variables = file.map { ELFSymbols($0, of: .variables) }
    private var names: [String: SymbolName] = [:]

    /// What the mangled name of a partial application ends with.
    private static let forwarderSuffix = "TA"

    /// Why the file's symbols cannot be used, nil when they can, or when the kernel made the image and there is none.
    let problem: String?

    init(record: ImageRecord, path: String) {
        self.record = record
        self.path = path
        name = String(path.split(separator: "/").last ?? "?")
        guard path.hasPrefix("/") else {
            file = nil
            problem = nil
            return
        }
        guard let file = try? ELFFile(path: path) else {
            self.file = nil
            problem = "The symbols of \(path) cannot be read, so its functions have no names."
            return
        }
        let isSame = record.buildID.isEmpty || file.buildID == record.buildID
        self.file = isSame ? file : nil
        problem = isSame ? nil : "\(path) was rebuilt after the recording, so its functions have no names."
    }

    /// The frames of each address of the process, innermost first.
    func frames(of addresses: [UInt64], symbolizer: LLVMSymbolizer?) -> [[SymbolicatedFrame]] {
        let offsets = addresses.map { $0 &- record.bias }
        var located = file == nil ? nil : symbolizer?.locations(of: offsets, in: path)
        if let symbolizer { located = located.map { placingForwarders($0, symbolizer) } }
        return offsets.indices.map { index in
            var locations = located?[index] ?? []
            if locations.isEmpty, let symbol = symbols?.name(at: offsets[index]) {
                locations = [LLVMSymbolizer.Location(symbol: symbol, file: nil, line: nil)]
            }
            guard !locations.isEmpty else { return [unnamed(offsets[index])] }
            return locations.indices.map { frame(locations[$0], isInlined: $0 < locations.count - 1) }
        }
    }

    /// The compiler's forwarder to a closure stands nowhere in the source: asked for itself, it gets its closure's place.
    private func placingForwarders(
        _ located: [[LLVMSymbolizer.Location]], _ symbolizer: LLVMSymbolizer
    ) -> [[LLVMSymbolizer.Location]] {
        let forwarders = located.indices.filter { index in
            guard let last = located[index].last else { return false }
            return last.isStart && last.line == nil && last.symbol.hasSuffix(Self.forwarderSuffix)
        }
        guard !forwarders.isEmpty else { return located }
        let closures = forwarders.map { String(located[$0].last?.symbol.dropLast(Self.forwarderSuffix.count) ?? "") }
        let addresses = symbols?.addresses(of: Set(closures)) ?? [:]
        let found = addresses.sorted { $0.key < $1.key }
        guard let bodies = symbolizer.locations(of: found.map(\.value), in: path) else { return located }
        let places = Dictionary(uniqueKeysWithValues: zip(found.map(\.key), bodies.map(\.last)))
        var result = located
        for (index, closure) in zip(forwarders, closures) {
            guard let place = places[closure] ?? nil else { continue }
            result[index][result[index].count - 1].file = place.file
            result[index][result[index].count - 1].line = place.line
        }
        return result
    }

    /// The variable whose memory holds an address of the process.
    func variable(at address: UInt64) -> SymbolicatedVariable {
        guard let symbol = variables?.name(at: address &- record.bias) else {
            let origin = FrameClassifier.origin(of: SymbolName(symbol: ""), image: name, symbol: "")
            return SymbolicatedVariable(name: "", image: name, origin: origin)
        }
        let symbolName = SymbolName(symbol: symbol)
        return SymbolicatedVariable(
            name: Demangler.ofCxx(symbol) ?? FunctionName.display(symbolName.function), image: name,
            origin: FrameClassifier.origin(of: symbolName, image: name, symbol: symbol))
    }

    private func frame(_ location: LLVMSymbolizer.Location, isInlined: Bool) -> SymbolicatedFrame {
        let name = names[location.symbol] ?? SymbolName(symbol: location.symbol)
        names[location.symbol] = name
        let isRecorder = FrameClassifier.isRecorder(file: location.file)
        let isCompilerMade = location.file?.hasSuffix("<compiler-generated>") ?? false
        return SymbolicatedFrame(
            function: name.function, module: name.module.isEmpty ? self.name : name.module, image: self.name,
            file: isCompilerMade ? nil : location.file, line: isCompilerMade ? nil : location.line,
            isInlined: isInlined,
            origin: isRecorder
                ? .runtime
                : FrameClassifier.origin(of: name, image: self.name, symbol: location.symbol, file: location.file),
            isPlumbing: isRecorder
                || FrameClassifier.isPlumbing(name, image: self.name, symbol: location.symbol, file: location.file))
    }

    private func unnamed(_ offset: UInt64) -> SymbolicatedFrame {
        let none = SymbolName(symbol: "")
        func place(_ offset: UInt64) -> String { "\(name)+0x\(String(offset, radix: 16))" }
        return SymbolicatedFrame(
            function: place(offset), module: name, image: name,
            origin: FrameClassifier.origin(of: none, image: name, symbol: ""),
            isPlumbing: FrameClassifier.isPlumbing(none, image: name, symbol: ""),
            start: functions?.start(of: offset).map(place))
    }
}
