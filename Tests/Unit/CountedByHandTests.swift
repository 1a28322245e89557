import Foundation
import Testing

@testable import GameprofAnalysis
@testable import GameprofTrace

/// Where sources count references by hand, as their lines say it.
@Suite struct CountedByHandTests {
    private static func places(_ lines: [String]) throws -> Finding.CountedByHand? {
        let folder = FileManager.default.temporaryDirectory.appending(path: "counted-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "Slots.swift")
        try lines.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
        let frame = SymbolicatedFrame(function: "Slots.init()", file: file.path, line: 1)
        var counted = CountedByHand()
        return counted.places(near: SymbolicatedStack(frames: [frame]))
    }

    @Test func `memory that is deallocated after its elements were taken out is no suspect`() throws {
        let bare = try #require(try Self.places(["deinit {", "    slots.deallocate()", "}"]))
        #expect(bare.deallocations == ["Slots.swift:2"])
        #expect(
            try Self.places(["deinit {", "    slots.deinitialize(count: 4)", "    slots.deallocate()", "}"]) == nil)
    }

    @Test func `bytes that are copied over elements are a suspect where memory is deallocated`() throws {
        let copy = "    memcpy(slots, save.block, size)"
        let both = try #require(try Self.places([copy, "    slots.deinitialize(count: 4)", "    slots.deallocate()"]))
        #expect(both.copies == ["Slots.swift:1"] && both.deallocations == [])
        #expect(try Self.places([copy]) == nil)
    }
}
