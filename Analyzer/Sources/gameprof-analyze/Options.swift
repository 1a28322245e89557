import BuildIndex
import Foundation
import StaticFindingModel
import StaticLook

/// What the command line says.
struct Options {
    enum Format: String { case json, diagnostics }

    var paths: [String] = []
    var format = Format.json
    /// Where the JSON goes; nil: standard output.
    var output: String?
    /// A Swift file without code that says to a build when the sources were looked at.
    var stamp: String?
    var cache = StaticFindingCache.standard
    var index = IndexChoice.automatic
    var jobs = ProcessInfo.processInfo.activeProcessorCount
    /// The least confidence that diagnostics show.
    var confidence = StaticFinding.Confidence.medium
    var exitsZero = false
    var listsRules = false

    static let usage = """
        usage: gameprof-analyze [--format json|diagnostics] [--output file] [--stamp file.swift] [--cache folder | --no-cache] \
        [--index-store folder | --no-index] [--jobs n] \
        [--confidence low|medium|high] [--exit-zero] PATH…   or   gameprof-analyze --rules
        """

    init(_ arguments: [String]) throws {
        var rest = ArraySlice(arguments)
        while let word = rest.popFirst() {
            switch word {
            case "--format": format = try parsed(&rest, word, Format.init)
            case "--output": output = try value(&rest, word)
            case "--stamp": stamp = try value(&rest, word)
            case "--cache": cache = StaticFindingCache(folder: try value(&rest, word))
            case "--no-cache": cache = nil
            case "--index-store": index = try .store(checked(store: value(&rest, word)))
            case "--no-index": index = .none
            case "--jobs": jobs = try parsed(&rest, word) { Int($0).flatMap { (1...256).contains($0) ? $0 : nil } }
            case "--confidence": confidence = try parsed(&rest, word, StaticFinding.Confidence.init)
            case "--exit-zero": exitsZero = true
            case "--rules": listsRules = true
            case "--":
                paths += rest
                rest = []
            case _ where word.hasPrefix("-"): throw UsageError(description: "\(word) is not known. \(Self.usage)")
            default: paths.append(word)
            }
        }
        if paths.isEmpty, !listsRules { throw UsageError(description: "Name a file or a folder. \(Self.usage)") }
    }

    private func checked(store: String) throws -> String {
        guard !IndexFinder.formats(of: store).isEmpty else {
            throw UsageError(description: "\(store) is no index store: a build leaves one in .build/debug/index/store.")
        }
        return store
    }

    private func value(_ rest: inout ArraySlice<String>, _ option: String) throws -> String {
        guard let value = rest.popFirst() else { throw UsageError(description: "\(option) needs a value.") }
        return value
    }

    private func parsed<Value>(_ rest: inout ArraySlice<String>, _ option: String, _ parse: (String) -> Value?) throws
        -> Value
    {
        let text = try value(&rest, option)
        guard let value = parse(text) else { throw UsageError(description: "\(text) is no value for \(option).") }
        return value
    }
}

/// Wrong usage, as a sentence.
struct UsageError: Error, CustomStringConvertible {
    var description: String
}
