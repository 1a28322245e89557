import Foundation
import Testing

@testable import GameprofAnalysis
@testable import GameprofCheck

/// A real heap that was recorded once, and its exports.
private struct RecordedHeap {
    let folder: TemporaryFolder
    let heap: Report.LiveHeap

    init() throws {
        folder = try TemporaryFolder()
        let program = try SwiftProgram.compile(files: ["HeapHolders.swift"], module: "HeapHolders", build: .onone)
        let run = try Command.run(
            Products.gameprof,
            ["heap", "--json", "heap.json", "--output", "heap.gptrace", "--quiet", "--", program.path],
            directory: folder.url)
        try #require(run.status == 0, "\(run.error)")
        heap = try #require(try Report(json: folder.url.appending(path: "heap.json")).liveHeap)
    }

    /// Exports the heap and returns the file.
    func export(_ format: String, _ options: String...) throws -> URL {
        let run = try Command.run(
            Products.gameprof, ["export", "heap.gptrace", "--format", format] + options, directory: folder.url)
        try #require(run.status == 0, "\(run.error)")
        return folder.url.appending(path: "heap.\(format)")
    }
}

/// `gameprof export` of the heap of a real program.
@Suite struct HeapFormatTests {
    @Test("figures of the database are those of the report, and the documented queries run")
    func database() throws {
        let recorded = try RecordedHeap()
        let database = try SQLiteDatabase(path: recorded.export("sqlite").path, mode: .read)
        let totals = try database.prepare("SELECT objects, bytes FROM snapshot").rows()
        #expect(totals == [[.number(recorded.heap.objects), .number(recorded.heap.bytes)]])
        for type in recorded.heap.types {
            let row = try database.prepare("SELECT count, bytes FROM types WHERE name = ?").rows(.text(type.type))
            #expect(row == [[.number(type.count), .number(type.shallowBytes)]], "\(type.type)")
        }
        let board = try #require(recorded.heap.types.first { $0.type == "HeapHolders.Board" })
        let documentation = try String(
            contentsOf: Products.package.appending(path: "Documentation/HeapFormats.md"), encoding: .utf8)
        let queries = documentation.components(separatedBy: "```sql\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
        #expect(queries.count >= 5)
        for query in queries { _ = try database.prepare(query).rows() }
        let first = try database.prepare(queries.first ?? "").rows()
        #expect(first.map { $0[1] } == [.number(board.retainedBytes)])
        #expect(first.map { $0[2] } == [.text("HeapHolders.Game")])
        let made = try database.prepare(
            """
            SELECT DISTINCT s.function, s.line > 0 FROM objects o JOIN types t ON t.id = o.type
            JOIN stacks s ON s.stack = o.stack WHERE t.name = 'HeapHolders.Card' AND s.function LIKE '%deal%'
            """
        ).rows()
        #expect(made.contains { $0 == [.text("Game.deal()"), .integer(1)] }, "\(made)")
        let root = try database.prepare(
            """
            SELECT r.kind FROM roots r JOIN objects o ON o.id = r.object JOIN types t ON t.id = o.type
            WHERE t.name = 'HeapHolders.Game' AND r.holds AND r.name LIKE '%game%'
            """
        ).rows()
        #expect(root == [[.text("global")]])
    }

    @Test("a V8 snapshot of a real heap has the report's objects, bytes and counts")
    func snapshot() throws {
        let recorded = try RecordedHeap()
        let file = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: recorded.export("heapsnapshot"))) as? [String: Any])
        let (nodes, strings) = (
            try #require(file["nodes"] as? [Int]), try #require(file["strings"] as? [String])
        )
        var counts: [String: [Int]] = [:]
        for start in stride(from: 0, to: nodes.count, by: 7) {
            let name = strings[nodes[start + 1]]
            counts[name] = [(counts[name]?[0] ?? 0) + 1, (counts[name]?[1] ?? 0) + nodes[start + 3]]
        }
        for type in recorded.heap.types where type.type.hasPrefix("HeapHolders.") {
            #expect(counts[type.type] == [type.count, Int(type.shallowBytes)], "\(type.type)")
        }
        let edges = try #require(file["edges"] as? [Int])
        let fields = Set(
            stride(from: 0, to: edges.count, by: 3).filter { edges[$0] == 2 }.map { strings[edges[$0 + 1]] })
        #expect(fields.isSuperset(of: ["board", "cards", "byName", "card"]), "\(fields)")
    }

    @Test("a Java heap dump is written to standard output, other formats of the heap where they belong")
    func places() throws {
        let recorded = try RecordedHeap()
        let folder = recorded.folder.url
        func export(_ arguments: String...) throws -> CommandResult {
            try Command.run(Products.gameprof, ["export", "heap.gptrace"] + arguments, directory: folder)
        }
        #expect(try export("--format", "hprof", "-o", "-").output.hasPrefix("JAVA PROFILE 1.0.2\0"))
        let database = try export("--format", "sqlite", "-o", "-")
        #expect(database.status == 2 && database.error.contains("A database needs a file"))
        let other = try export("--format", "hprof", "--snapshot", "7")
        #expect(other.status == 2 && other.error.contains("it has those of 1"), "\(other.error)")
        let profile = try export("--format", "pprof", "--snapshot", "1")
        #expect(profile.status == 2 && profile.error.contains("heapsnapshot, hprof, sqlite"))
        // What was there is replaced, not appended to.
        for _ in 0..<2 { #expect(try export("--format", "sqlite").status == 0) }
        let rows = try SQLiteDatabase(path: folder.appending(path: "heap.sqlite").path, mode: .read)
            .prepare("SELECT count(*) FROM snapshot").rows()
        #expect(rows == [[.integer(1)]])
    }

    @Test("a trace without a graph of the heap is refused in a sentence")
    func withoutGraph() throws {
        let folder = try TemporaryFolder()
        let program = try SwiftProgram.compile(files: ["HeapHolders.swift"], module: "HeapHolders", build: .onone)
        _ = try Command.run(
            Products.gameprof, ["allocations", "--quiet", "--output", "a.gptrace", "--", program.path],
            directory: folder.url)
        let run = try Command.run(
            Products.gameprof, ["export", "a.gptrace", "--format", "hprof"], directory: folder.url)
        #expect(run.status == 2)
        #expect(run.error.contains("contains no heap graph; record one with gameprof heap."))
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(files.filter { $0 != "Reports" } == ["a.gptrace"])
    }
}

/// Heaps read by the viewers whose formats they are.
@Suite(.enabled(if: LongTests.field)) struct HeapFormatFieldTests {
    private static let parser = "/usr/share/visualvm/visualvm/modules/org-graalvm-visualvm-lib-jfluid-heap.jar"

    @Test("VisualVM's parser reads classes, fields, sizes, retained sizes and roots")
    func visualVM() throws {
        let recorded = try RecordedHeap()
        let file = try recorded.export("hprof")
        let reader = Products.package.appending(path: "Tests/Programs/HeapReaders/ReadHprof.java")
        let run = try Command.run(
            URL(filePath: "/usr/bin/java"), ["-cp", Self.parser, reader.path, file.path], directory: recorded.folder.url
        )
        try #require(run.status == 0, "\(run.error)")
        let rows = run.output.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
        for type in recorded.heap.types where type.type.hasPrefix("HeapHolders.") {
            let row = try #require(rows.first { $0[0] == "class" && $0[1] == type.type }, "\(type.type)")
            #expect(row[2...] == ["\(type.count)", "\(type.shallowBytes)", "\(type.retainedBytes)"], "\(type.type)")
        }
        #expect(rows.contains(["field", "HeapHolders.Game", "board", "HeapHolders.Board"]))
        #expect(rows.contains { $0[0] == "holder" && $0[1] == "HeapHolders.Board" && $0[3] == "HeapHolders.Game" })
        #expect(rows.contains { $0[0] == "roots" && $0[1] == "sticky class" })
    }

    /// Loads a snapshot as the Memory panel does, by the panel's own worker, and lists what it makes of each node.
    private static let load = """
        window.load = async (text) => {
          const worker = await import("/bundled/entrypoints/heap_snapshot_worker/heap_snapshot_worker.js");
          const dispatcher = new worker.HeapSnapshotWorkerDispatcher.HeapSnapshotWorkerDispatcher(() => {});
          const loader = new worker.HeapSnapshotLoader.HeapSnapshotLoader(dispatcher);
          loader.write(text);
          loader.close();
          const channel = new MessageChannel();
          dispatcher.dispatchMessage({
            data: { callId: 1, disposition: "setupForSecondaryInit", objectId: 1 }, ports: [channel.port1] });
          const snapshot = await loader.buildSnapshot(channel.port2), rows = [];
          for (let index = 0; index < snapshot.nodes.length; index += snapshot.nodeFieldCount) {
            const node = snapshot.createNode(index), holders = [];
            for (const all = node.retainers(); all.hasNext(); all.next()) {
              holders.push([all.item().name().toString(), all.item().node().className()]);
            }
            const stack = snapshot.allocationStack(index) || [];
            rows.push({
              name: node.className(), size: node.selfSize(), retained: node.retainedSize(), holders,
              stack: stack.map((frame) => frame.functionName) });
          }
          return JSON.stringify(rows);
        };
        """

    private struct Node: Decodable {
        var name: String
        var size: UInt64
        var retained: UInt64
        var holders: [[String]]
        var stack: [String]
    }

    @Test(
        "DevTools of Chromium read objects, retainers, retained sizes and allocation stacks",
        .enabled(if: Browser.isInstalled))
    func devTools() throws {
        let recorded = try RecordedHeap()
        let text = try String(contentsOf: recorded.export("heapsnapshot"), encoding: .utf8)
        let browser = try Browser()
        try browser.open(try #require(URL(string: "devtools://devtools/bundled/devtools_app.html")))
        try browser.evaluate(Self.load)
        let quoted = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
        let answer = try browser.evaluate("load(\(quoted))") as? String
        #expect(browser.errors == [])
        let nodes = try JSONDecoder().decode([Node].self, from: Data(try #require(answer).utf8))
        for type in recorded.heap.types where type.type.hasPrefix("HeapHolders.") {
            let own = nodes.filter { $0.name == type.type }
            #expect(own.count == type.count && own.reduce(0) { $0 + $1.size } == type.shallowBytes, "\(type.type)")
            #expect(own.reduce(0) { $0 + $1.retained } == type.retainedBytes, "\(type.type)")
        }
        let board = try #require(nodes.first { $0.name == "HeapHolders.Board" })
        #expect(board.holders.contains(["board", "HeapHolders.Game"]))
        let card = try #require(nodes.first { $0.name == "HeapHolders.Card" })
        #expect(card.stack.contains { $0.contains("Game.deal()") }, "\(card.stack)")
    }
}
