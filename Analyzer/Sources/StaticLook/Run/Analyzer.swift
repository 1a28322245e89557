import Foundation
import SourceModel
import SourceReader
import SuspectModel
import Synchronization

/// Looks at files and folders: finds the sources, reads them in parallel, lets the rules look, module by module.
public struct Analyzer: Sendable {
    /// Tells one build of the analyzer from another: the same sources can give other suspects, and results of another
    /// build are not taken from the cache.
    private static let build: String = {
        let path = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let date = (attributes?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
        return "\(attributes?[.size] as? NSNumber ?? 0) \(date)"
    }()

    public var jobs: Int
    /// Where results of unchanged modules are kept; nil: nowhere.
    public var cache: SuspectCache?
    /// Kinds of types of other modules.
    public var outside: [String: Bool]

    public init(
        jobs: Int = ProcessInfo.processInfo.activeProcessorCount, cache: SuspectCache? = nil,
        outside: [String: Bool] = [:]
    ) {
        self.jobs = max(1, jobs)
        self.cache = cache
        self.outside = outside
    }

    /// - Throws: `AnalyzerError` when a path does not exist or nothing can be read there.
    public func analyze(_ paths: [String]) throws -> SuspectList {
        var list = SuspectList()
        let groups = try SourceFinder.modules(of: paths)
        for group in groups { add(group, to: &list) }
        list.suspects.sort {
            ($0.file, $0.line, $0.column, $0.rule) < ($1.file, $1.line, $1.column, $1.rule)
        }
        return list
    }

    private func add(_ group: SourceFinder.ModuleFiles, to list: inout SuspectList) {
        let texts = Parallel.map(group.files, jobs: jobs) { SourceText.read($0) }
        list.problems += texts.compactMap(\.problem)
        let readable = texts.filter { $0.problem == nil }
        list.files += readable.count
        list.lines += readable.reduce(0) { $0 + $1.lineCount }
        let key = SuspectCache.key(of: readable, build: Self.build, outside: outside)
        if let known = cache?.suspects(for: key) {
            list.suspects += known.suspects
            list.problems += known.problems
            list.cachedFiles += readable.count
            return
        }
        let result = Self.suspects(in: readable, jobs: jobs, outside: OutsideTypes(outside))
        cache?.keep(result, for: key)
        list.suspects += result.suspects
        list.problems += result.problems
    }

    private static func suspects(in texts: [SourceText], jobs: Int, outside: OutsideTypes) -> ModuleResult {
        let files = Parallel.map(texts, jobs: jobs) { FileReader.read($0.bytes, path: $0.path) }
        let module = Module(files: files, outside: outside)
        var suspects = Parallel.map(Looking.parts(of: module, count: jobs * 4), jobs: jobs) { part in
            Looking.suspects(in: part, of: module)
        }.flatMap { $0 }
        suspects = Looking.unique(suspects)
        let hashes = Dictionary(texts.map { ($0.path, $0.hash) }, uniquingKeysWith: { first, _ in first })
        for index in suspects.indices where suspects[index].edit != nil {
            let file = suspects[index].file
            suspects[index].edit?.contentHash = hashes[file] ?? ""
        }
        let problems = files.filter(\.isCutShort).map {
            "\($0.path) is nested too deeply: what stands deeper than \(FileReader.depthLimitText) was not looked at."
        }
        return ModuleResult(suspects: suspects, problems: problems)
    }
}

/// What one module gave.
public struct ModuleResult: Codable, Sendable {
    var suspects: [SourceSuspect]
    var problems: [String]
}

/// Why nothing could be looked at.
public struct AnalyzerError: Error, CustomStringConvertible {
    public var description: String
}
