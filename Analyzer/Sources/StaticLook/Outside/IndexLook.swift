import BuildIndex
import Foundation
import StaticFindingModel

/// Which build's index is looked at.
public enum IndexChoice: Sendable {
    case none
    /// That of the package around each file, where it was built for debugging.
    case automatic
    /// The store at that path.
    case store(String)
}

/// Asks builds' indexes what lies around the modules of one run. Indexes are opened when a module first needs them.
final class IndexLook {
    private let choice: IndexChoice
    private let jobs: Int
    private let shelf: SourceShelf
    private lazy var library = IndexLibrary.find()
    private var opened: [String: BuildIndex?] = [:]
    private var storeByFolder: [String: String?] = [:]
    private var said: [String] = []

    init(choice: IndexChoice, shelf: SourceShelf, jobs: Int) {
        self.choice = choice
        self.shelf = shelf
        self.jobs = jobs
    }

    /// What could not be read, in sentences.
    var problems: [String] {
        let damaged = opened.sorted { $0.key < $1.key }.compactMap { store, index -> String? in
            guard let index, index.damaged > 0 else { return nil }
            let files = index.damaged == 1 ? "A file" : "\(index.damaged) files"
            return "\(files) of the index \(store) cannot be read: the sources are looked at without what it says."
        }
        return said + damaged
    }

    /// Distinguishes states of the index and of what it is compared with. Empty where there is none.
    func state(for texts: [SourceText]) -> String {
        guard let store = texts.first.flatMap({ self.store(around: $0.path) }), let library else { return "" }
        let stamps = texts.map { SourceStamp(path: $0.path).text }
        return ([IndexFinder.state(of: store, format: library.format)] + stamps).joined(separator: "\n")
    }

    /// What lies around the files of a module. Nil when no index is there.
    func surroundings(of texts: [SourceText]) -> (Surroundings, IndexUse)? {
        guard let store = texts.first.flatMap({ self.store(around: $0.path) }), let index = index(at: store) else {
            return nil
        }
        var use = IndexUse(store: store)
        var result = Surroundings()
        var units: [String: IndexUnit] = [:]
        for text in texts {
            guard let unit = index.unit(of: text.path) else { continue }
            if index.isStale(unit) { use.stale.append(text.path) } else { units[text.path] = unit }
        }
        guard !units.isEmpty else { return (result, use) }
        let records = index.mentions(of: Array(units.values))
        var used: Set<String> = []
        var declared: Set<String> = []
        var types: [String: IndexSymbol] = [:]
        for (path, unit) in units {
            guard let record = records[unit.file] else { continue }
            use.files += 1
            result.uses[path] = UsedSymbols(record)
            for symbol in record.symbols where !symbol.isPart {
                if symbol.isDefinedHere { declared.insert(symbol.usr) } else { used.insert(symbol.usr) }
                if symbol.isType { types[symbol.usr] = symbol }
            }
        }
        used.subtract(declared)
        let outside = types.values.filter { !declared.contains($0.usr) }
        result.kinds = OutsideTypes(outside)
        result.mentioned = Set(
            outside.compactMap { DemangledName(usr: $0.usr) }.map { "\($0.module).\($0.path.joined(separator: "."))" })
        let declaring = DeclaringFiles(
            of: used, imports: Set(units.values.flatMap(\.imports)),
            own: Set(texts.map(\.path)).union(units.values.map(\.file)),
            size: texts.reduce(0) { $0 + $1.bytes.count }, index: index)
        use.declaring = declaring.files.map(\.path)
        use.stale = (use.stale + declaring.stale).sorted()
        result.files = read(declaring.files)
        let outsideRecords = index.mentions(of: declaring.files.compactMap { index.unit(of: $0.path) })
        for (path, record) in outsideRecords { result.uses[path] = UsedSymbols(record) }
        return (result, use)
    }

    private func read(_ files: [BuildIndex.DeclaringFile]) -> [Surroundings.File] {
        let texts = Parallel.map(files.map(\.path), jobs: jobs) { SourceText.read($0) }.filter { $0.problem == nil }
        let modules = Dictionary(files.map { ($0.path, $0.module) }, uniquingKeysWith: { first, _ in first })
        return shelf.read(texts, isKept: true).map { Surroundings.File(source: $0, module: modules[$0.path] ?? "") }
    }

    private func store(around file: String) -> String? {
        switch choice {
        case .none: return nil
        case .store(let path): return path
        case .automatic:
            let folder = SourceFinder.folder(of: file)
            if let known = storeByFolder[folder] { return known }
            let found = IndexFinder.store(around: file)
            storeByFolder[folder] = .some(found)
            return found
        }
    }

    private func index(at store: String) -> BuildIndex? {
        if let known = opened[store] { return known }
        let index = open(store)
        opened[store] = .some(index)
        return index
    }

    private func open(_ store: String) -> BuildIndex? {
        guard let library else {
            said.append("The index \(store) is not read: the toolchain's libIndexStore was not found beside swift.")
            return nil
        }
        let formats = IndexFinder.formats(of: store)
        guard formats.contains(library.format) else {
            guard let other = formats.last else { return nil }
            said.append(
                "The index \(store) is not read: it is of version \(other), and this toolchain reads \(library.format)."
            )
            return nil
        }
        guard let index = BuildIndex(store: IndexStore(path: store, library: library)) else {
            said.append("The index \(store) cannot be read: the sources are looked at without it.")
            return nil
        }
        return index
    }
}
