import Foundation
import GameprofBasics
import Synchronization

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
        /// Where the function is declared.
        var declaration: Declaration?

        mutating func place(at declaration: Declaration) { (file, line) = (declaration.file, declaration.line) }
    }

    /// The place in the source where a function is declared.
    struct Declaration: Hashable, Sendable {
        var file: String
        var line: Int
    }

    /// Path of the program.
    let path: String

    private struct Answer: Decodable {
        struct Symbol: Decodable {
            enum CodingKeys: String, CodingKey {
                case function = "FunctionName"
                case file = "FileName"
                case line = "Line"
                case start = "StartAddress"
                case startFile = "StartFileName"
                case startLine = "StartLine"
            }
            var function: String
            var file: String
            var line: Int
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

    /// The program crashes at some addresses. So many of one image are left out, each at the price of another start.
    private static let crashLimit = 64
    /// An image may name a FIFO as the file with its debug information. The program waits for it in vain, and is not asked of
    /// this image again, nor of any when that happened so often.
    private static let (idleSeconds, idleLimit) = (15, 3)
    private static let idleImages = Mutex<Set<String>>([])

    /// Looks addresses of the file at `image` up. The answers stand in the order of `addresses`, innermost function
    /// first; an address that is not known has none. Nil when the program did not work.
    /// 10,000 addresses take about 0.4 s.
    func locations(of addresses: [UInt64], in image: String) -> [[Location]]? {
        ask(addresses, image)?.map { answer in
            (answer?.symbols ?? []).compactMap { Self.location($0, at: answer?.address) }
        }
    }

    /// One answer for each address, nil where the program crashed; nil when it gave none at all. It answers line by
    /// line, so the first address without an answer is the one that crashed it: it is left out, and the rest asked again.
    private func ask(_ addresses: [UInt64], _ image: String) -> [Answer?]? {
        var answers: [Answer?] = []
        for _ in 0...Self.crashLimit where answers.count < addresses.count {
            guard Self.idleImages.withLock({ $0.count < Self.idleLimit && !$0.contains(image) }),
                !SpecialDebugFile.isNamed(by: image), let result = run(Array(addresses[answers.count...]), image)
            else { return nil }
            if result.wasIdle {
                _ = Self.idleImages.withLock { $0.insert(image) }
                return nil
            }
            var lines = result.output.split(separator: UInt8(ascii: "\n"))
            if let end = result.output.last, end != UInt8(ascii: "\n") { lines.removeLast() }
            guard answers.count + lines.count <= addresses.count else { return nil }
            let decoder = JSONDecoder()
            for line in lines {
                guard let answer = try? decoder.decode(Answer.self, from: Data(line)) else { return nil }
                answers.append(answer)
            }
            if result.signal != nil, answers.count < addresses.count {
                answers.append(nil)
            } else if result.code != 0 || answers.count < addresses.count {
                return nil
            }
        }
        let isUseless = !addresses.isEmpty && answers.allSatisfy { $0 == nil }
        return isUseless ? nil : answers + Array(repeating: nil, count: addresses.count - answers.count)
    }

    /// A line is worth nothing without its number, nor a file without its line. Code without a line of its own, as of an
    /// inlined initialiser, stands where its function is declared: the rows beside it may be of another one.
    private static func location(_ symbol: Answer.Symbol, at address: String?) -> Location? {
        guard !symbol.function.isEmpty, symbol.function != "??" else { return nil }
        let declaration = symbol.startFile.flatMap { file in
            symbol.startLine.flatMap { $0 > 0 && !file.isEmpty ? Declaration(file: file, line: $0) : nil }
        }
        var location = Location(
            symbol: symbol.function, isStart: address != nil && symbol.start == address, declaration: declaration)
        if symbol.line > 0, !symbol.file.isEmpty, !symbol.file.hasSuffix("<compiler-generated>") {
            location.place(at: Declaration(file: symbol.file, line: symbol.line))
        } else if let declaration {
            location.place(at: declaration)
        }
        return location
    }

    private func run(_ addresses: [UInt64], _ image: String) -> HelperProcess.Result? {
        let input = addresses.map { "0x" + String($0, radix: 16) + "\n" }.joined()
        let arguments = ["--output-style=JSON", "--no-debuginfod", "--obj=\(image)"]
        return try? HelperProcess.run(
            path, arguments, input: Array(input.utf8), hidesErrors: true, idleSeconds: Self.idleSeconds)
    }
}
