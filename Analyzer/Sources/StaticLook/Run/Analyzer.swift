import Foundation
import SourceModel
import SourceReader
import StaticFindingModel
import Synchronization

/// Looks at files and folders: finds the sources, reads them in parallel, lets the rules look, module by module.
public struct Analyzer: Sendable {
    /// Distinguishes builds of the analyzer: the same sources can give other suspects, and results of another
    /// build are not taken from the cache.
    private static let build: String = {
        let path = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let date = (attributes?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
        return "\(attributes?[.size] as? NSNumber ?? 0) \(date)"
    }()

    public var jobs: Int
    /// Where results of unchanged modules are kept; nil: nowhere.
    public var cache: StaticFindingCache?
    /// Where what other modules declare is looked up.
    public var index: IndexChoice

    public init(
        jobs: Int = ProcessInfo.processInfo.activeProcessorCount, cache: StaticFindingCache? = nil,
        index: IndexChoice = .none
    ) {
        self.jobs = max(1, jobs)
        self.cache = cache
        self.index = index
    }

    /// - Throws: `AnalyzerError` when a path does not exist or nothing can be read there.
    public func analyze(_ paths: [String]) throws -> StaticFindingList {
        var list = StaticFindingList()
        let (groups, problems) = try SourceFinder.modules(of: paths)
        list.problems = problems
        let shelf = SourceShelf(jobs: jobs)
        let index = IndexLook(choice: index, shelf: shelf, jobs: jobs)
        for group in groups { add(group, index, shelf, to: &list) }
        list.problems += index.problems
        list.suspects.sort {
            ($0.file, $0.line, $0.column, $0.rule) < ($1.file, $1.line, $1.column, $1.rule)
        }
        return list
    }

    private func add(
        _ group: SourceFinder.ModuleFiles, _ index: IndexLook, _ shelf: SourceShelf, to list: inout StaticFindingList
    ) {
        let texts = Parallel.map(group.files, jobs: jobs) { SourceText.read($0) }
        list.problems += texts.compactMap(\.problem)
        let readable = texts.filter { $0.problem == nil }
        list.files += readable.count
        list.lines += readable.reduce(0) { $0 + $1.lineCount }
        let key = StaticFindingCache.key(of: readable, build: Self.build, index: index.state(for: readable))
        if let known = cache?.suspects(for: key) {
            list.add(known)
            list.cachedFiles += readable.count
            return
        }
        let around = index.surroundings(of: readable)
        let files = shelf.read(readable, isKept: around != nil)
        var result = Self.suspects(in: files, of: readable, jobs: jobs, surroundings: around?.0 ?? Surroundings())
        result.index = around?.1
        result.declaring = around?.1.declaring.map { SourceStamp(path: $0) } ?? []
        // What a damaged index left out shall be said again.
        if index.problems.isEmpty { cache?.keep(result, for: key) }
        list.add(result)
    }

    private static func suspects(in files: [SourceFile], of texts: [SourceText], jobs: Int, surroundings: Surroundings)
        -> ModuleResult
    {
        let module = Module(files: files, surroundings: surroundings)
        let found = Parallel.map(Looking.parts(of: module, count: jobs * 4), jobs: jobs) { part in
            Looking.suspects(in: part, of: module)
        }.flatMap { $0 }
        var suspects = Looking.unique(found)
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
    var suspects: [StaticFinding]
    var problems: [String]
    /// What a build's index had to do with it.
    var index: IndexUse?
    /// Files of other modules that were read for it.
    var declaring: [SourceStamp] = []
}

extension StaticFindingList {
    fileprivate mutating func add(_ result: ModuleResult) {
        suspects += result.suspects
        problems += result.problems
        if let use = result.index { index = index?.adding(use) ?? use }
    }
}

/// Why nothing could be looked at.
public struct AnalyzerError: Error, CustomStringConvertible {
    public var description: String
}
