import Foundation

/// The index of a build, opened: which compilation read which file, and what the files of its modules declare.
public final class BuildIndex {
    /// A file of a module with what it declares and uses, by USR.
    public struct DeclaringFile: Sendable {
        public var path: String
        public var module: String
        /// The source has changed since the build.
        public var isStale: Bool
        public var imports: [String]
        public var declared: [String] = []
        /// Types that it holds extensions of.
        public var extended: [String] = []
        /// Declarations of whatever file that it uses.
        public var used: [String] = []
    }

    private let store: IndexStore
    private let byFile: [String: IndexUnit]
    private let byModule: [String: [IndexUnit]]
    private var known: [String: [DeclaringFile]] = [:]

    /// Files of the index that could not be read.
    public var damaged: Int { store.damaged }

    /// Nil when the compilations cannot be listed. Reads every unit: some 50 µs each.
    public init?(store: IndexStore) {
        guard let units = store.units() else { return nil }
        self.store = store
        var newest: [String: IndexUnit] = [:]
        for unit in units where unit.file.hasSuffix(".swift") && !unit.module.isEmpty {
            // A module that is also compiled for the build's own tools has two units.
            if let other = newest[unit.file], other.written >= unit.written { continue }
            newest[unit.file] = unit
        }
        byFile = newest
        byModule = Dictionary(grouping: newest.values.sorted { $0.file < $1.file }, by: \.module)
    }

    /// The newest compilation of a file.
    public func unit(of file: String) -> IndexUnit? {
        let url = URL(filePath: file).standardizedFileURL
        return byFile[url.path] ?? byFile[url.resolvingSymlinksInPath().path]
    }

    /// Whether the source was written after the unit, or is gone.
    public func isStale(_ unit: IndexUnit) -> Bool {
        guard let time = Self.modified(unit.file) else { return true }
        return unit.written < time
    }

    /// What the files of the compilations mention, place by place, by the path of the file.
    public func mentions(of units: [IndexUnit]) -> [String: IndexRecord] {
        let records = store.records(units.flatMap(\.records), withOccurrences: true)
        var result: [String: IndexRecord] = [:]
        // A record of a Swift file is one; what else a unit names are those of headers and macros.
        for unit in units { result[unit.file] = unit.records.lazy.compactMap { records[$0] }.first }
        return result
    }

    /// The files of a module that the build compiled, by path. Read once.
    public func files(ofModules names: Set<String>) -> [DeclaringFile] {
        let missing = names.subtracting(known.keys).sorted()
        let units = missing.flatMap { byModule[$0] ?? [] }
        let fresh = units.filter { !isStale($0) }
        let records = store.records(fresh.flatMap(\.records), withOccurrences: false)
        for name in missing { known[name] = [] }
        for unit in units {
            var file = DeclaringFile(
                path: unit.file, module: unit.module, isStale: isStale(unit), imports: unit.imports)
            for symbol in unit.records.lazy.compactMap({ records[$0] }).first?.symbols ?? [] where !symbol.isPart {
                if symbol.isDefinedHere { file.declared.append(symbol.usr) } else { file.used.append(symbol.usr) }
                if symbol.isExtendedHere { file.extended.append(symbol.usr) }
            }
            known[unit.module, default: []].append(file)
        }
        return names.sorted().flatMap { known[$0] ?? [] }
    }

    private static func modified(_ path: String) -> IndexUnit.Time? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return IndexUnit.Time(
            seconds: Int64(status.st_mtim.tv_sec), nanoseconds: Int64(status.st_mtim.tv_nsec))
    }
}
