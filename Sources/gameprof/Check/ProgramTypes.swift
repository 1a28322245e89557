import Foundation
import GameprofBasics
import GameprofTrace

/// The names of types that recorded programs have: Swift's descriptions of types hold them as text, in stripped programs too.
struct ProgramTypes: Sendable {
    /// Files of the programs and of the libraries that they loaded.
    private(set) var files: Set<String> = []

    mutating func add(_ recording: Recording) {
        for image in recording.images.images where image.record.path.hasPrefix("/") { files.insert(image.record.path) }
    }

    /// Whether there may be a type that matches the pattern; nil: the files are not here, or it is no Swift name.
    func has(_ pattern: String) -> Bool? {
        guard pattern.unicodeScalars.allSatisfy({ Self.isOfName($0) || "<>, *?.".unicodeScalars.contains($0) }) else {
            return nil
        }
        let images = files.sorted().compactMap { try? RegularFile.mapped($0) }
        guard !images.isEmpty, images.count == files.count else { return nil }
        let words = pattern.split { !("*?".contains($0) || $0.unicodeScalars.allSatisfy(Self.isOfName)) }
        return words.allSatisfy { word in images.contains { Self.has(String(word), in: $0) } }
    }

    private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    /// A whole text that ends with a NUL; of a pattern its longest literal part, anywhere.
    private static func has(_ word: String, in image: Data) -> Bool {
        let literal = word.split { "*?".contains($0) }.max { $0.utf8.count < $1.utf8.count }
        guard let literal else { return true }
        guard literal.utf8.count == word.utf8.count else { return image.range(of: Data(literal.utf8)) != nil }
        let text = Data(literal.utf8 + [0])
        var start = image.startIndex
        while let found = image.range(of: text, in: start..<image.endIndex) {
            let before = found.lowerBound > image.startIndex ? image[found.lowerBound - 1] : 0
            if !isOfName(Unicode.Scalar(before)) { return true }
            start = found.lowerBound + 1
        }
        return false
    }
}
