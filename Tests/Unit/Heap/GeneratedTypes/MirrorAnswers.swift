import Foundation

@testable import GameprofHeap
@testable import GameprofTrace

/// What the toolchain's reflection library says of objects of a process that waits, asked by a program of its own: a library that
/// crashes has not answered.
struct MirrorAnswers {
    /// An enum with several payloads: its bytes in the object, and the path to its case.
    private struct Case {
        var bytes: Range<UInt64>
        var path: [String]
    }

    private struct Found {
        var edge: GeneratedHeap.Edge
        /// What stands there: of a weak reference the side table.
        var word: UInt64
    }

    private struct Answer {
        var edges: [Found] = []
        var cases: [Case] = []
        /// Parts that the library does not understand.
        var gaps: [Range<UInt64>] = []

        func isGap(_ offset: UInt64) -> Bool { gaps.contains { $0.contains(offset) } }
    }

    /// How much of what the tool says could be compared.
    struct Count {
        var objects = 0
        /// Of which the library understands each part.
        var whole = 0
        var references = 0
        var compared = 0
        /// Enums with several payloads, and those of which the library tells the wrong case.
        var cases = 0
        var refuted = 0
        /// References that the library knows and the tool is not sure of.
        var unsure = 0
    }

    private struct Target: Decodable {
        struct Paths: Decodable {
            var runtimeLibraryPaths: [String]
        }
        var paths: Paths
    }

    /// Where the toolchain has its standard library.
    static let library: String? = {
        guard let text = try? RuntimeBuild.run(["swiftc", "-print-target-info"]),
            let target = try? JSONDecoder().decode(Target.self, from: Data(text.utf8))
        else { return nil }
        return target.paths.runtimeLibraryPaths.map { $0 + "/libswiftRemoteMirror.so" }
            .first(where: FileManager.default.fileExists)
    }()

    private static let ownerships: [Substring: Ownership] = [
        "strong": .strong, "unowned": .unowned, "weak": .weak, "unmanaged": .unmanaged,
    ]

    private static let program = Result {
        let runtime = try RuntimeBuild.shared.get()
        let program = runtime.folder.appending(path: "mirror")
        try RuntimeBuild.run([
            "clang", "-std=gnu11", "-O2", runtime.programs.appending(path: "Mirror.c").path, "-ldl", "-o", program.path,
        ])
        return program
    }

    private var objects: [UInt64: Answer] = [:]

    /// - Parameter isBlock: whether an address is the start of a block.
    init?(of pid: pid_t, _ objects: [UInt64], in images: [ImageRecord], isBlock: (UInt64) -> Bool) throws {
        guard let library = Self.library else { return nil }
        let folder = try RuntimeBuild.shared.get().folder
        let requests = folder.appending(path: "mirror-\(pid)")
        defer { try? FileManager.default.removeItem(at: requests) }
        let lines =
            images.map { "I \(String($0.start, radix: 16)) \($0.path)\n" }
            + objects.map { "O \(String($0, radix: 16))\n" }
        try Data(lines.joined().utf8).write(to: requests)
        let process = Process()
        let output = Pipe()
        process.executableURL = try Self.program.get()
        process.arguments = [library, requests.path]
        process.standardInput = try FileHandle(forReadingFrom: URL(filePath: "/proc/\(pid)/mem"))
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        var answer = Answer()
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: false)
            func bytes() -> Range<UInt64> { (UInt64(words[1]) ?? 0)..<(UInt64(words[2]) ?? .max) }
            switch words[0] {
            case "R":
                let target = UInt64(words[3], radix: 16) ?? 0
                let held = Self.ownerships[words[2]] ?? .conservative
                guard isBlock(target) else { continue }
                let edge = GeneratedHeap.Edge(
                    target: target, held: held, label: String(words[5]), offset: UInt64(words[1]) ?? 0)
                answer.edges.append(Found(edge: edge, word: UInt64(words[4], radix: 16) ?? 0))
            case "E": answer.cases.append(Case(bytes: bytes(), path: Self.names(words[3])))
            case "U": answer.gaps.append(bytes())
            case "O":
                self.objects[UInt64(words[1], radix: 16) ?? 0] = answer
                answer = Answer()
            default: break
            }
        }
    }

    // MARK: - Comparison

    private static func names(_ path: some StringProtocol) -> [String] {
        path.replacingOccurrences(of: "[", with: ".[").split(separator: ".").map(String.init)
    }

    /// Whether both name the same way. The library has only numbers for the elements of tuples, and no name for the only case of
    /// an enum: `c`, where the generator made it.
    private static func isPath(_ library: ArraySlice<String>, _ tool: ArraySlice<String>, isWhole: Bool = true) -> Bool
    {
        if library.isEmpty, tool.isEmpty || !isWhole { return true }
        guard let name = tool.first else { return false }
        if let own = library.first, own == name || UInt(own) != nil,
            isPath(library.dropFirst(), tool.dropFirst(), isWhole: isWhole)
        {
            return true
        }
        return name.first == "c" && UInt(name.dropFirst()) != nil
            && isPath(library, tool.dropFirst(), isWhole: isWhole)
    }

    private static func isIn(_ enumeration: Case, _ tool: GeneratedHeap.Edge) -> Bool {
        isPath(enumeration.path[...], names(tool.label)[...], isWhole: false)
    }

    private static func isSame(_ tool: GeneratedHeap.Edge, _ library: GeneratedHeap.Edge) -> Bool {
        tool.target == library.target && tool.held == library.held && tool.offset == library.offset
            && isPath(names(library.label)[...], names(tool.label)[...])
    }

    /// Whether the generator chose another case there, and the tool follows it.
    private static func isRefuted(_ enumeration: Case, _ own: [GeneratedHeap.Edge], by chosen: [String]) -> Bool {
        let truth = chosen.map(names).filter { isPath(enumeration.path.dropLast(), $0.dropLast()) }
        return !truth.isEmpty && !truth.contains { isPath(enumeration.path[...], $0[...]) }
            && own.allSatisfy { edge in truth.contains { isPath($0[...], names(edge.label)[...], isWhole: false) } }
    }

    /// References of which one knows and not the other, or otherwise. Of the cases of enums the library may be wrong: the generator
    /// knows better.
    /// - Parameters:
    ///   - confirmed: objects that the generator made, and what leads to them.
    ///   - chosen: by object: cases that the generator made.
    func differences(
        _ tool: GeneratedHeap.Answer, confirmed: Set<UInt64>, chosen: [UInt64: [String]]
    ) -> ([String], Count) {
        var result: [String] = []
        var count = Count()
        for (object, edges) in tool.edges.sorted(by: { $0.key < $1.key }) {
            let known = Set(edges.filter { $0.held != .conservative })
            count.objects += 1
            count.references += known.count
            guard var answer = objects[object] else { continue }
            if answer.gaps.isEmpty { count.whole += 1 }
            func missing() -> (tool: [GeneratedHeap.Edge], library: [Found]) {
                (
                    known.filter { edge in
                        !answer.isGap(edge.offset) && !answer.edges.contains { Self.isSame(edge, $0.edge) }
                    },
                    answer.edges.filter { found in
                        !answer.isGap(found.edge.offset) && !known.contains { Self.isSame($0, found.edge) }
                    }
                )
            }
            count.cases += answer.cases.count
            let first = missing()
            var refuted: [Range<UInt64>] = []
            for enumeration in answer.cases where !refuted.contains(where: { $0.overlaps(enumeration.bytes) }) {
                func isInside(_ edge: GeneratedHeap.Edge) -> Bool { enumeration.bytes.contains(edge.offset) }
                let (own, others) = (
                    Array(known.filter(isInside)), first.library.filter { isInside($0.edge) }.map(\.edge)
                )
                if !own.contains(where: { Self.isIn(enumeration, $0) }),
                    !others.isEmpty || first.tool.contains(where: isInside),
                    (own + others).contains(where: { confirmed.contains($0.target) })
                        || Self.isRefuted(enumeration, own, by: chosen[object] ?? [])
                {
                    refuted.append(enumeration.bytes)
                }
            }
            count.refuted += refuted.count
            answer.gaps += refuted
            let rest = missing()
            count.compared += known.count { !answer.isGap($0.offset) }
            let unsure = Set(edges.filter { $0.held == .conservative }.map(\.target))
            count.unsure += rest.library.count { unsure.contains($0.word) }
            func say(_ edge: GeneratedHeap.Edge, _ who: String) {
                result.append(
                    "only the \(who): \(String(object, radix: 16)) + \(edge.offset): \(edge.held) \(edge.label) "
                        + String(edge.target, radix: 16))
            }
            for edge in rest.tool { say(edge, "tool") }
            for found in rest.library where !unsure.contains(found.word) { say(found.edge, "library") }
        }
        return (result, count)
    }
}
