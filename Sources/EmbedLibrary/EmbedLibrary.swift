import Foundation

/// `EmbedLibrary LIBRARY OUTPUT.swift`: writes the library, stripped, as a Swift source.
@main
enum EmbedLibrary {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else { throw Failure(sentence: "usage: EmbedLibrary LIBRARY OUTPUT.swift") }
        let output = URL(fileURLWithPath: arguments[2])
        let stripped = output.appendingPathExtension("so")
        try strip(arguments[1], to: stripped.path)
        defer { try? FileManager.default.removeItem(at: stripped) }
        let text = try Data(contentsOf: stripped).base64EncodedString()
        let source = "enum EmbeddedLibrary {\n    static let base64: StaticString = \"\(text)\"\n}\n"
        try Data(source.utf8).write(to: output)
    }

    private static func strip(_ library: String, to output: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["strip", "-o", output, library]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(sentence: "strip failed with \(library).") }
    }
}

struct Failure: Error, CustomStringConvertible {
    var sentence: String
    var description: String { sentence }
}
