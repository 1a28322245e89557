import Foundation
import GameprofTestSupport
import Testing

@testable import GameprofHeap
@testable import GameprofTrace

/// Recordings of images that are written as traces and read again.
@Suite("Traces of images") struct ImageTraceTests {
    /// As a search makes it, with its own numbers of types: two cards on a cycle, of a class that inherits.
    private static func recording(type: UInt32, at time: UInt64, cards: Int) -> Recording {
        var recording = Recording()
        recording.program = ProgramRecord(
            pid: 7, instruments: [.heap, .leaks], executable: "/bin/game", arguments: ["game", "--seed 1"])
        recording.startUnixNanoseconds = time
        recording.environment = ["source": "a running process", "a": "b"]
        recording.threadNames = [ThreadID(7): "main", ThreadID(9): "2"]
        recording.capture.notes = ["Read from process 7.", "At \(time)."]
        recording.images.add(ImageRecord(path: "/bin/game", bias: 0x5000, start: 0x5000, end: 0x9000, buildID: [1, 2]))
        let id = TypeID(type)
        recording.types.add(TypeRecord(id: id, metadata: 0x7000))
        recording.types.add(TypeNameRecord(metadata: 0x7000, destroy: 0x7100, name: "Game.Card"))
        recording.types.add(TypeNameRecord(metadata: 0x7100, name: "Game.Thing"))
        var snapshot = HeapSnapshot(
            begin: HeapBeginRecord(trigger: .onRequest, snapshot: SnapshotID(1), threads: 3, pause: 5))
        snapshot.objects = (1...2).map {
            HeapObject(id: ObjectID($0), address: 0x1000 * UInt64($0), size: 32, type: id, component: ComponentID(1))
        }
        snapshot.references = [
            HeapReference(from: ObjectID(1), to: ObjectID(2), label: "next"),
            HeapReference(from: ObjectID(2), to: ObjectID(1), label: "next"),
        ]
        var graph = LiveHeap()
        for card in 0..<cards {
            graph.add(address: 0x1000 * UInt64(card + 1), size: 32, type: id, strong: 1, flags: [.swift])
        }
        graph.roots = [HeapRoot(object: ObjectID(1), kind: .global, address: 0x8000)]
        snapshot.graph = graph
        snapshot.end = HeapEndRecord(
            snapshot: SnapshotID(1), blocks: UInt64(cards), bytes: 64, unreachableBlocks: 2, listedObjects: 2)
        recording.heapSnapshots = [snapshot]
        return recording
    }

    private static func written(_ recordings: [Recording]) throws -> Recording {
        let path = FileManager.default.temporaryDirectory.appending(path: "image-\(UUID().uuidString).gptrace").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        var trace = try ImageTrace(path: path, first: recordings[0])
        for recording in recordings { try trace.append(recording) }
        try trace.finish()
        return try RecordingReader.read(path: path)
    }

    @Test("what a search has found is read again, at each of its moments, with one number for each type")
    func moments() throws {
        let looks = [Self.recording(type: 4, at: 1000, cards: 2), Self.recording(type: 9, at: 5000, cards: 700)]
        let read = try Self.written(looks)
        #expect(read.program == looks[0].program && read.environment == looks[0].environment)
        #expect(read.startUnixNanoseconds == 1000 && read.wallNanoseconds == 4000)
        #expect(read.threadNames == looks[0].threadNames && read.images.images.map(\.record.path) == ["/bin/game"])
        #expect(read.capture.notes == ["Read from process 7.", "At 1000.", "At 5000."])
        #expect(!read.capture.isTruncated && read.capture.problems.isEmpty && read.capture.unknownRecords == 0)
        #expect(read.heapSnapshots.map(\.begin.snapshot) == [SnapshotID(1), SnapshotID(2)])
        #expect(read.heapSnapshots.map(\.begin.time) == [0, 4000])
        #expect(read.types.ids.count == 1)
        for (snapshot, look) in zip(read.heapSnapshots, looks) {
            let own = look.heapSnapshots[0]
            #expect(snapshot.unsoundReason == nil && snapshot.unread == nil)
            #expect(snapshot.objects.map(\.address) == own.objects.map(\.address))
            #expect(read.types.ancestry(snapshot.objects[0].type) == ["Game.Card", "Game.Thing"])
            #expect(snapshot.references == own.references && snapshot.begin.pause == 5 && snapshot.begin.threads == 3)
            #expect(snapshot.graph?.count == own.graph?.count && snapshot.graph?.roots == own.graph?.roots)
            #expect(snapshot.end?.blocks == own.end?.blocks && snapshot.end?.unreachableBlocks == 2)
        }
    }

    @Test("what was not read is not read in the trace either, and a reader that does not know of it gives no result")
    func unread() throws {
        var recording = Self.recording(type: 1, at: 1, cards: 2)
        recording.heapSnapshots[0].unread = "16 KB of memory could not be read"
        let read = try Self.written([recording])
        let snapshot = try #require(read.heapSnapshots.first)
        #expect(snapshot.unread == "16 KB of memory could not be read" && snapshot.unsoundReason == nil)
        #expect(snapshot.objects.count == 2 && read.capture.isTruncated)
        var end = HeapEndRecord(snapshot: SnapshotID(1), isCutShort: true, reason: "why")
        end.hasUnread = true
        #expect(RecordBytes.heap(.end(end))[1] == 3)
    }

    @Test("a crash and the stacks of threads are kept")
    func crash() throws {
        var recording = Self.recording(type: 1, at: 1, cards: 2)
        recording.frames.add(FrameRecord(id: FrameID(1), parent: .none, pc: 0x5100, isTruncated: true))
        recording.frames.add(FrameRecord(id: FrameID(2), parent: FrameID(1), pc: 0x5200, isExact: true))
        recording.threadStacks = [
            ThreadStackRecord(thread: ThreadID(9), stack: StackID(2)),
            ThreadStackRecord(thread: ThreadID(7), stack: StackID(1)),
        ]
        recording.crash = CrashRecord(
            signal: SIGSEGV, thread: ThreadID(9), stack: StackID(2), address: 16, isStackOverflow: true, message: "why")
        let read = try Self.written([recording])
        #expect(read.crash == recording.crash && read.threadStacks == recording.threadStacks)
        #expect(read.frames.frames(of: StackID(2)) == recording.frames.frames(of: StackID(2)))
    }
}
