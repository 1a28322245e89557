import Foundation
import Testing

@testable import GameprofHeap
@testable import GameprofTrace

/// What is found of the objects of a generated program that waits.
struct GeneratedHeap {
    struct Edge: Hashable {
        var target: UInt64
        var held: Ownership
        var label: String
        var offset: UInt64
    }

    /// By object: its references, and whether there are no others.
    struct Answer {
        var edges: [UInt64: [Edge]] = [:]
        var whole: Set<UInt64> = []
    }

    private(set) var holders: [Int: UInt64] = [:]
    /// Metadata.
    private(set) var types: [Int: UInt64] = [:]
    /// Of which the tool cannot read the layout.
    private(set) var opaque: [Int] = []
    private(set) var leaves: [UInt64: Int] = [:]
    private(set) var answer = Answer()
    /// References that marking would not follow.
    private(set) var misplaced: [String] = []
    /// Of the objects that the tool was asked for; nil: the toolchain has no reflection library.
    private(set) var mirror: MirrorAnswers?

    /// Runs the program, and looks at it while it waits.
    init(of program: URL) throws {
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = program
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        defer {
            // Other signals are blocked where this thread blocks them.
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        var data = Data()
        let end = Data("waiting\n".utf8)
        while !data.suffix(end.count).elementsEqual(end) {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { throw RuntimeBuild.Failure(description: "the generated program ended") }
            data += more
        }
        for line in String(decoding: data, as: UTF8.self).split(separator: "\n") { note(line.split(separator: " ")) }
        try look(process.processIdentifier)
    }

    private static func number(_ text: Substring) -> UInt64 { UInt64(text, radix: 16) ?? 0 }

    private mutating func note(_ words: [Substring]) {
        switch words.first {
        case "H": holders[Int(words[1]) ?? -1] = Self.number(words[2])
        case "L": leaves[Self.number(words[2])] = Int(words[1]) ?? -1
        case "T": types[Int(words[1]) ?? -1] = Self.number(words[2])
        default: break
        }
    }

    private mutating func look(_ pid: pid_t) throws {
        let image = try ProcessImage(pid: pid).image
        let blocks = try #require(try MallocWalk.blocks(of: image)).map
        let space = Metadata.Space(image, ELFImages(image), blocks)
        let (graph, layouts) = (BlockGraph(space), LayoutReader(space))
        opaque = types.filter { Self.isOpaque(layouts.layout(ofMetadata: $0.value)) }.keys.sorted()
        var open = Array(holders.values)
        var seen = Set(open)
        while let address = open.popLast() {
            guard let index = blocks.exact(address) else { continue }
            var (isWhole, edges, held) = (true, [Edge](), Set<Int>())
            graph.forEachReference(of: blocks[index], graph.type(of: blocks[index])) { reference, target in
                isWhole = isWhole && reference != nil
                let ownership = reference?.ownership ?? .conservative
                if ownership != .unowned, ownership != .weak { held.insert(target) }
                edges.append(
                    Edge(
                        target: blocks[target].start, held: ownership, label: reference?.path ?? "",
                        offset: reference?.offset ?? 0))
            }
            var kept = Set<Int>()
            graph.forEachHeld(by: blocks[index], graph.type(of: blocks[index])) { kept.insert($0) }
            if !kept.isSuperset(of: held) { misplaced.append("held \(String(address, radix: 16))") }
            answer.edges[address] = edges
            if isWhole { answer.whole.insert(address) }
            for edge in edges where leaves[edge.target] == nil && seen.insert(edge.target).inserted {
                guard let target = blocks.exact(edge.target), let type = graph.type(of: blocks[target]),
                    type.kind != .classInstance || type.storage != nil
                else { continue }
                open.append(edge.target)
            }
        }
        let objects = answer.edges.keys.sorted().filter {
            blocks.exact($0).flatMap { graph.type(of: blocks[$0]) } != nil
        }
        mirror = try MirrorAnswers(of: pid, objects, in: space.images.records) { blocks.exact($0) != nil }
    }

    private static func isOpaque(_ layout: TypeLayout) -> Bool {
        !layout.isSized
            || layout.spare == nil && layout.steps.contains { if case .unknown = $0.kind { true } else { false } }
    }

    /// Objects that the generator made, and those that lead to them.
    var confirmed: Set<UInt64> {
        var result = Set(leaves.keys)
        var isMore = true
        while isMore {
            let more = answer.edges.filter { edge in
                !result.contains(edge.key) && edge.value.contains { result.contains($0.target) }
            }
            result.formUnion(more.keys)
            isMore = !more.isEmpty
        }
        return result
    }

    // MARK: - Comparison

    struct Difference: CustomStringConvertible {
        enum Kind: String {
            /// An object that is held is not reported at all.
            case missing
            /// One that is held is only said to be perhaps.
            case unsure
            /// One that is not held is said to be, or more than once.
            case wrong
            /// A reference that does not own is not reported as such.
            case loose
            case label
        }
        var kind: Kind
        var type: String
        var text: String
        var description: String { "\(kind.rawValue) \(type): \(text)" }
    }

    private struct Found {
        var held: Ownership
        var label: String
    }

    private func found(from holder: UInt64) -> [Int: [Found]] {
        var result: [Int: [Found]] = [:]
        var seen: Set<UInt64> = [holder]
        func visit(_ object: UInt64, _ held: Ownership, _ label: String) {
            for edge in answer.edges[object] ?? [] {
                let all = held == .strong ? edge.held : held
                let first = object == holder ? edge.label : label
                if let leaf = leaves[edge.target] {
                    result[leaf, default: []].append(Found(held: all, label: first))
                } else if edge.held == .strong || edge.held == .conservative, seen.insert(edge.target).inserted {
                    visit(edge.target, all, first)
                }
            }
        }
        visit(holder, .strong, "")
        return result
    }

    func differences(_ expectations: [TypeGenerator.Expectation]) -> [Difference] {
        var result: [Difference] = []
        for (holder, address) in holders.sorted(by: { $0.key < $1.key }) {
            let found = found(from: address)
            for (leaf, ways) in found where expectations[leaf].holder != holder {
                if ways.contains(where: { $0.held == .strong }) {
                    result.append(
                        Difference(kind: .wrong, type: expectations[leaf].type, text: "held by another holder too"))
                }
            }
            for (leaf, expected) in expectations.enumerated() where expected.holder == holder {
                guard let text = Self.judge(expected, found[leaf] ?? []) else { continue }
                result.append(
                    Difference(
                        kind: text.0, type: expected.type,
                        text: "holder \(holder), object \(leaf), \(expected.path.text): \(text.1)"))
            }
        }
        return result
    }

    private static func judge(
        _ expected: TypeGenerator.Expectation, _ ways: [Found]
    ) -> (Difference.Kind, String)? {
        let strong = ways.filter { $0.held == .strong }
        guard expected.held == .strong else {
            if !strong.isEmpty { return (.wrong, "\(expected.held) is said to be strong at \(strong[0].label)") }
            let isSaid = ways.contains {
                switch expected.held {
                case .weak: $0.held == .weak
                case .unowned: $0.held == .unowned
                // A box of it need not say what it holds.
                case .strong, .unmanaged, .loose: true
                }
            }
            let isFree = expected.held == .loose || expected.held == .unmanaged
            return isSaid || isFree ? nil : (.loose, "\(expected.held) is \(ways.map(\.held))")
        }
        guard !strong.isEmpty else { return ways.isEmpty ? (.missing, "") : (.unsure, "\(ways.map(\.held))") }
        if strong.count > 1 { return (.wrong, "\(strong.count) times") }
        let path = expected.path
        let fits = path.isPrefix ? strong[0].label.hasPrefix(path.text) : strong[0].label == path.text
        return fits ? nil : (.label, "is called \(strong[0].label)")
    }
}
