import Foundation

/// The toolchain's `llvm-symbolizer`, run once for many addresses of one image.
struct LLVMSymbolizer: Sendable {
    /// A function at an address, as the debug information or the symbol table names it.
    struct Location: Hashable, Sendable {
        /// Linkage name where there is one.
        var symbol: String
        var file: String?
        var line: Int?
    }

    /// Path of the program.
    let path: String

    private struct Answer: Decodable {
        struct Symbol: Decodable {
            enum CodingKeys: String, CodingKey {
                case function = "FunctionName"
                case file = "FileName"
                case line = "Line"
            }
            var function: String
            var file: String
            var line: Int
        }
        enum CodingKeys: String, CodingKey {
            case symbols = "Symbol"
        }
        var symbols: [Symbol]?
    }

    /// Looks addresses of the file at `image` up. The answers stand in the order of `addresses`, innermost function
    /// first; an address that is not known has none. Nil when the program did not work.
    /// 10,000 addresses take about 0.3 s.
    func locations(of addresses: [UInt64], in image: String) -> [[Location]]? {
        // To skip lines without a number it walks back, and crashes where a function of the compiler's begins with one.
        guard let output = run(addresses, image, ["--skip-line-zero"]) ?? run(addresses, image, []) else { return nil }
        let decoder = JSONDecoder()
        var result: [[Location]] = []
        result.reserveCapacity(addresses.count)
        for line in output.split(separator: UInt8(ascii: "\n")) {
            guard let answer = try? decoder.decode(Answer.self, from: Data(line)) else { return nil }
            result.append((answer.symbols ?? []).compactMap(Self.location))
        }
        return result.count == addresses.count ? result : nil
    }

    /// A line is worth nothing without its number, nor a file without its line.
    private static func location(_ symbol: Answer.Symbol) -> Location? {
        guard !symbol.function.isEmpty, symbol.function != "??" else { return nil }
        let hasLine = !symbol.file.isEmpty && symbol.line > 0
        return Location(symbol: symbol.function, file: hasLine ? symbol.file : nil, line: hasLine ? symbol.line : nil)
    }

    private func run(_ addresses: [UInt64], _ image: String, _ options: [String]) -> Data? {
        let folder = FileManager.default.temporaryDirectory
        let input = folder.appendingPathComponent("gameprof-\(UUID().uuidString)")
        let text = addresses.map { "0x" + String($0, radix: 16) + "\n" }.joined()
        guard (try? Data(text.utf8).write(to: input)) != nil else { return nil }
        defer { try? FileManager.default.removeItem(at: input) }
        guard let standardInput = try? FileHandle(forReadingFrom: input) else { return nil }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = ["--output-style=JSON", "--no-debuginfod", "--obj=\(image)"] + options
        process.standardInput = standardInput
        process.standardError = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        guard (try? process.run()) != nil else { return nil }
        let data = try? output.fileHandleForReading.readToEnd()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? data ?? Data() : nil
    }
}
