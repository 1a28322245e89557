import Foundation
import Testing

/// The pages of this project that people read, and what stands in them to be copied.
public enum DocumentationPages {
    public struct Part: Sendable, CustomTestStringConvertible {
        public var path: String
        public var text: String

        public var testDescription: String { "\(path): \(text.prefix { $0 != "\n" })" }
    }

    /// README, CONTRIBUTING, all below Documentation and the articles of the libraries.
    public static let all: [Part] = {
        func names(below folder: String) -> [String] {
            let inside = FileManager.default.enumerator(atPath: Repository.file(folder).path)
            return (inside?.allObjects as? [String] ?? []).filter { $0.hasSuffix(".md") }.map { "\(folder)/\($0)" }
                .sorted()
        }
        return (["README.md", "CONTRIBUTING.md"] + names(below: "Documentation") + names(below: "Sources"))
            .compactMap { path in
                (try? String(contentsOf: Repository.file(path), encoding: .utf8)).map { Part(path: path, text: $0) }
            }
    }()

    /// The blocks of a language; none: those without one.
    public static func blocks(_ language: String = "") -> [Part] {
        all.flatMap { page in
            page.text.components(separatedBy: "\n```").enumerated().compactMap { place, part in
                guard !place.isMultiple(of: 2), part.hasPrefix("\(language)\n") else { return nil }
                return Part(path: page.path, text: part.dropFirst(language.count + 1) + "\n")
            }
        }
    }
}
