import Foundation

/// The toolchain's `llvm-symbolizer`, run once for many addresses of one image.
struct LLVMSymbolizer: Sendable {
    /// A function at an address, as the debug information or the symbol table names it.
    struct Location: Hashable, Sendable {
        /// Linkage name where there is one.
        var symbol: String
        var file: String?
        var line: Int?
        /// The address is the first of the function's code.
        var isStart = false
    }

    /// Path of the program.
    let path: String

    private struct Answer: Decodable {
        struct Symbol: Decodable {
            enum CodingKeys: String, CodingKey {
                case function = "FunctionName"
                case file = "FileName"
                case line = "Line"
                case isApproximate = "Approximate"
                case start = "StartAddress"
                case startFile = "StartFileName"
                case startLine = "StartLine"
            }
            var function: String
            var file: String
            var line: Int
            /// The line of the nearest code before that has one, perhaps of another function.
            var isApproximate: Bool?
            var start: String?
            var startFile: String?
            var startLine: Int?
        }
        enum CodingKeys: String, CodingKey {
            case address = "Address"
            case symbols = "Symbol"
        }
        var address: String?
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
            result.append((answer.symbols ?? []).compactMap { Self.location($0, at: answer.address) })
        }
        return result.count == addresses.count ? result : nil
    }

    /// A line is worth nothing without its number, nor a file without its line.
    private static func location(_ symbol: Answer.Symbol, at address: String?) -> Location? {
        guard !symbol.function.isEmpty, symbol.function != "??" else { return nil }
        var (file, line) = (symbol.file, symbol.line)
        if symbol.isApproximate == true {
            let (startFile, startLine) = (symbol.startFile ?? "", symbol.startLine ?? 0)
            if file != startFile || line < startLine || startLine == 0 { (file, line) = (startFile, startLine) }
        }
        let hasLine = !file.isEmpty && line > 0
        return Location(
            symbol: symbol.function, file: hasLine ? file : nil, line: hasLine ? line : nil,
            isStart: address != nil && symbol.start == address)
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
