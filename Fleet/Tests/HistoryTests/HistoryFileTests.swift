import Foundation
import GRDB
import HistoryModel
import HistoryStore
import Synchronization
import Testing

struct HistoryFileTests {
    @Test("what was added comes back, once")
    func roundTrip() throws {
        let folder = try Folder()
        let runs = (0..<3).map { number in
            Run.test(
                number, findings: [.test("A", count: 2), .test("B")],
                figures: [
                    .init(name: "cpu", unit: .nanoseconds, values: [1.5e6, 2e6, 1.75e6]),
                    .init(name: "peak", unit: .bytes, values: [Double(number)]),
                ])
        }
        let file = try HistoryFile(path: folder.file("h"), creates: true)
        #expect(try file.add(runs) == 3)
        #expect(try file.add(runs) == 0)
        let again = try HistoryFile(path: folder.file("h"), creates: false)
        #expect(try again.timeline(branch: "main", scenario: "level").commits.flatMap(\.runs) == runs)
        let series = try again.series()
        #expect(series.map(\.branch) == ["main"] && series.map(\.scenario) == ["level"] && series.map(\.runs) == [3])
    }

    @Test("a history is no FIFO, and another user's link in a folder that everybody can write does not lead to it")
    func planted() throws {
        let folder = try Folder()
        mkfifo(folder.file("fifo"), 0o600)
        #expect(throws: HistoryFileError.self) { try HistoryFile(path: folder.file("fifo"), creates: true) }
        guard geteuid() == 0 else { return }
        let shared = folder.file("shared")
        try FileManager.default.createDirectory(atPath: shared, withIntermediateDirectories: false)
        chmod(shared, 0o1777)
        try FileManager.default.createSymbolicLink(atPath: shared + "/h", withDestinationPath: folder.file("victim"))
        lchown(shared + "/h", 65534, 65534)
        #expect {
            try HistoryFile(path: shared + "/h", creates: true)
        } throws: {
            "\($0)".contains("is another user's link")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.file("victim")))
    }

    @Test("a new history is its user's alone, one that is there keeps its mode")
    func mode() throws {
        let folder = try Folder()
        func mode() throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: folder.file("h"))[.posixPermissions] as? Int
        }
        _ = try HistoryFile(path: folder.file("h"), creates: true).add([.test(1)])
        #expect(try mode() == 0o600)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.file("h"))
        _ = try HistoryFile(path: folder.file("h"), creates: true).add([.test(2)])
        #expect(try mode() == 0o644)
    }

    @Test("of equal results of two runs both count")
    func repeatedRuns() throws {
        let folder = try Folder()
        let file = try HistoryFile(path: folder.file("h"), creates: true)
        #expect(try file.add([.test(1, wall: 1), .test(1, wall: 1.25)]) == 2)
    }

    @Test("the latest commits are read where the number is limited")
    func limit() throws {
        let folder = try Folder()
        let file = try HistoryFile(path: folder.file("h"), creates: true)
        _ = try file.add([5, 1, 4, 2, 3].map { .test($0) })
        #expect(try file.timeline(branch: "main", scenario: "level", last: 2).commits.map(\.name) == ["c4", "c5"])
    }

    @Test("writers that begin a file at the same time lose nothing")
    func severalWriters() throws {
        let folder = try Folder()
        let path = folder.file("h")
        let failures = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 6) { writer in
            do {
                let file = try HistoryFile(path: path, creates: true)
                for number in 0..<40 { _ = try file.add([.test(number, machine: "m\(writer)")]) }
            } catch { failures.withLock { $0.append("\(error)") } }
        }
        #expect(failures.withLock { $0 } == [])
        let timeline = try HistoryFile(path: path, creates: false).timeline(branch: "main", scenario: "level")
        #expect(timeline.commits.count == 40 && timeline.runCount == 240)
    }

    @Test("a missing file is not made by reading")
    func missing() throws {
        let folder = try Folder()
        let path = folder.file("h")
        #expect(throws: HistoryFileError.self) { try HistoryFile(path: path, creates: false) }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("a file that is no history is refused and left as it is", arguments: ["text", "foreign", "later", "damaged"])
    func refused(kind: String) throws {
        let folder = try Folder()
        let path = folder.file("h")
        switch kind {
        case "text":
            try Data("no database, but long enough to be looked at as one".utf8).write(to: .init(filePath: path))
        case "foreign": try DatabaseQueue(path: path).inDatabase { try $0.execute(sql: "CREATE TABLE mine (x)") }
        case "later":
            _ = try HistoryFile(path: path, creates: true)
            try DatabaseQueue(path: path).inDatabase { try $0.execute(sql: "PRAGMA user_version = 9") }
        default:
            _ = try HistoryFile(path: path, creates: true).add((0..<50).map { .test($0, findings: [.test("A")]) })
            try DatabaseQueue(path: path).inDatabase { _ = try $0.checkpoint(.truncate) }
            var bytes = try Data(contentsOf: .init(filePath: path))
            for place in 100..<bytes.count { bytes[place] = 0xa5 }
            try bytes.write(to: .init(filePath: path))
        }
        let before = try Data(contentsOf: .init(filePath: path))
        let error = #expect(throws: HistoryFileError.self) {
            _ = try HistoryFile(path: path, creates: true).timeline(branch: "main", scenario: "level")
        }
        #expect(error?.kind == .unreadable)
        if kind == "later" { #expect(error?.description.contains("version 9") == true) }
        #expect(try Data(contentsOf: .init(filePath: path)) == before)
    }

    @Test("names that would be SQL or markup are text")
    func hostileNames() throws {
        let folder = try Folder()
        let file = try HistoryFile(path: folder.file("h"), creates: true)
        let name = "'; DROP TABLE run; --<script>\u{1b}[31m\"&\u{202e}"
        let run = Run.test(
            1, scenario: name, findings: [.test(name)], figures: [.init(name: name, unit: .count, values: [1])])
        #expect(try file.add([run]) == 1)
        #expect(try file.timeline(branch: "main", scenario: name).commits[0].runs == [run])
    }
}
