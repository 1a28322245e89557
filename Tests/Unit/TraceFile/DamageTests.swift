import Foundation
import GameprofTestSupport
import Testing

@testable import GameprofTrace

private func open(_ bytes: [UInt8]) throws -> TraceReader { try TraceReader(path: try TemporaryTrace(bytes).path) }

@Test func aNewerVersionIsRefusedNamingBoth() throws {
    var builder = TraceBuilder()
    builder.version = 99
    let trace = try TemporaryTrace(builder)
    #expect(throws: TraceError.newerVersion(path: trace.path, found: 99, supported: 1)) {
        try TraceReader(path: trace.path)
    }
    let sentence = TraceError.newerVersion(path: "x", found: 99, supported: 1).description
    #expect(sentence.contains("version 99") && sentence.contains("version 1"))
}

@Test func whatIsNoTraceIsRefused() throws {
    for bytes in [[], Array("hello".utf8), [UInt8](repeating: 0, count: 100_000)] {
        let trace = try TemporaryTrace(bytes)
        #expect(throws: TraceError.notATrace(path: trace.path)) { try TraceReader(path: trace.path) }
    }
}

@Test func aFolderAndAMissingFileAreRefused() throws {
    let trace = try TemporaryTrace()
    #expect(throws: TraceError.unreadable(path: trace.folder.path, reason: "it is a folder")) {
        try TraceReader(path: trace.folder.path)
    }
    #expect(throws: TraceError.unreadable(path: trace.path, reason: "no such file or directory")) {
        try TraceReader(path: trace.path)
    }
}

@Test func aCutTraceIsReadToItsLastWholeRecord() throws {
    var builder = TraceBuilder()
    for size in 1...100 { builder.allocate(UInt64(size)) }
    let whole = builder.bytes()
    let trace = try TemporaryTrace(Array(whole[..<(65_536 + 32 + 16 * 40 + 7)]))
    let reader = try TraceReader(path: trace.path)
    var count = 0
    try reader.readRecords { _, _ in count += 1 }
    #expect(count == 40)
    #expect(reader.damage.isCut)
    #expect(reader.damage.sentences == ["The trace is cut off; it was read up to its last whole record."])
}

@Test func aBlockOfZerosIsNoDamage() throws {
    var builder = TraceBuilder()
    builder.allocate(1)
    builder.chunk(thread: 2)
    builder.allocate(2)
    var bytes = builder.bytes()
    bytes.replaceSubrange(65_536..<131_072, with: [UInt8](repeating: 0, count: 65_536))
    let trace = try TemporaryTrace(bytes)
    #expect(try trace.dump() == ["alloc how=malloc size=2 stack=0 bits=0x0"])
    #expect(try TraceReader(path: trace.path).damage.isNone)
}

@Test func aDamagedChunkIsLeftOutAndTheOthersAreRead() throws {
    var builder = TraceBuilder()
    builder.allocate(1)
    builder.chunk(thread: 2)
    builder.allocate(2)
    var bytes = builder.bytes()
    bytes[65_536] ^= 0xff
    let trace = try TemporaryTrace(bytes)
    let reader = try TraceReader(path: trace.path)
    var count = 0
    try reader.readRecords { _, _ in count += 1 }
    #expect(count == 1)
    #expect(reader.damage.lostChunks == 1)
}

@Test(arguments: [false, true]) func randomDamageNeverCrashesTheReader(isCompressed: Bool) throws {
    let trace = try TemporaryTrace(traceOfEverything())
    if isCompressed {
        try TraceFinisher.compress(trace.path, into: trace.path + "z")
        try FileManager.default.moveItem(atPath: trace.path + "z", toPath: trace.path)
    }
    let sound = try trace.read()
    var random = SplitMix(state: 1)
    for _ in 0..<2_000 {
        var bytes = sound
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            // Most of the file is empty; damage goes where there is something.
            let place =
                Bool.random(using: &random)
                ? Int.random(in: 0..<64, using: &random)
                : Int.random(in: 65_536..<min(bytes.count, 68_000), using: &random)
            bytes[place] = UInt8.random(in: 0...255, using: &random)
        }
        if Int.random(in: 0..<4, using: &random) == 0 {
            bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
        }
        try trace.write(bytes)
        do {
            let reader = try TraceReader(path: trace.path)
            try reader.readRecords { record, position in _ = TraceDump.line(record, at: position) }
        } catch let error as TraceError {
            #expect(error.description.hasSuffix("."))
        }
    }
}
