import Foundation
import GameprofTestSupport
import Testing

@testable import GameprofTrace

/// A trace that was cut off with its second chunk in the spool alone.
private func interrupted() throws -> TemporaryTrace {
    var builder = TraceBuilder()
    builder.isFinished = false
    builder.allocate(1)
    builder.chunk(thread: 2)
    builder.allocate(2)
    let bytes = builder.bytes()
    let trace = try TemporaryTrace(Array(bytes[..<131_072]))
    try trace.write(spoolHeader(blocks: 2, next: 3) + bytes[131_072...], to: "a.gptrace.spool")
    return trace
}

private let lines = ["alloc how=malloc size=1 stack=0 bits=0x0", "alloc how=malloc size=2 stack=0 bits=0x0"]

@Test func aSpoolBesideTheTraceIsReadAsPartOfIt() throws {
    let trace = try interrupted()
    #expect(try trace.dump() == lines)
    #expect(try TraceReader(path: trace.path).droppedEvents == 4)
}

@Test func finishingTakesTheSpoolInAndAppendsTheExit() throws {
    let trace = try interrupted()
    try TraceFinisher.finish(trace.path, exit: ProgramExitRecord(status: .signal(9), wall: 5))
    #expect(try trace.dump() == lines + ["program-exit signal=9 wall=5"])
    #expect(!FileManager.default.fileExists(atPath: trace.path + ".spool"))
    let reader = try TraceReader(path: trace.path)
    #expect(reader.header.isFinished)
    #expect(reader.droppedEvents == 4)
}

@Test("why the recorder stopped is read from the spool, and written into the trace that takes it in")
func stopReason() throws {
    let trace = try interrupted()
    var spool = try trace.read("a.gptrace.spool")
    spool.replaceSubrange(0..<65_536, with: spoolHeader(blocks: 2, next: 3, stopped: 2))
    try trace.write(spool, to: "a.gptrace.spool")
    let sentence = "gameprof ended before the program: what happened afterwards was not recorded."
    #expect(try TraceReader(path: trace.path).stopSentence == sentence)
    try TraceFinisher.finish(trace.path, exit: nil)
    #expect(try trace.dump() == lines + ["loss events=0 sentence=\"\(sentence)\""])
    #expect(try !TraceReader(path: trace.path).header.isCut)
}

@Test("a trace that the tool had to close is marked as cut")
func cutMark() throws {
    let trace = try interrupted()
    try TraceFinisher.finish(trace.path, exit: nil)
    #expect(try TraceReader(path: trace.path).header.isCut)
    try TraceFinisher.finish(trace.path, exit: ProgramExitRecord(status: .code(0), wall: 5))
    #expect(try TraceReader(path: trace.path).header.isCut)
}

@Test func compressingKeepsEveryRecord() throws {
    let trace = try TemporaryTrace(traceOfEverything())
    let before = try trace.dump()
    let size = try trace.read().count
    let final = trace.folder.appendingPathComponent("final.gptrace").path
    try TraceFinisher.compress(trace.path, into: final)
    #expect(!FileManager.default.fileExists(atPath: trace.path))
    #expect(try trace.read("final.gptrace").count < size)
    try FileManager.default.moveItem(atPath: final, toPath: trace.path)
    #expect(try trace.dump() == before)
    #expect(try TraceReader(path: trace.path).header.isCompressed)
}

@Test func whatCannotBeWrittenLeavesNothingUnderTheFinalName() throws {
    let trace = try TemporaryTrace(traceOfEverything())
    let final = trace.folder.appendingPathComponent("missing/final.gptrace").path
    let folder = trace.folder.appendingPathComponent("missing").path
    #expect(throws: TraceError.unwritable(path: final, reason: "the folder \(folder) does not exist")) {
        try TraceFinisher.compress(trace.path, into: final)
    }
    #expect(FileManager.default.fileExists(atPath: trace.path))
}

@Test func aNonsensicalSpoolIsNotFollowed() throws {
    let trace = try interrupted()
    var spool = try trace.read("a.gptrace.spool")
    spool.replaceSubrange(16..<24, with: repeatElement(0xff, count: 8))
    spool.replaceSubrange(65_544..<65_552, with: [0, 0, 0, 0, 0, 1, 0, 0])
    try trace.write(spool, to: "a.gptrace.spool")
    try TraceFinisher.finish(trace.path, exit: nil)
    #expect(try trace.read().count < 1_000_000)
}

private let name = TraceRecord.Symbol.text(SymbolTextRecord(id: 1, text: "deal"))
private let newName = TraceRecord.Symbol.text(SymbolTextRecord(id: 1, text: "shuffle"))

@Test("names are stored behind all other records, and later ones replace them")
func storedNames() throws {
    let trace = try interrupted()
    try TraceFinisher.store([name], in: trace.path)
    #expect(try trace.dump() == lines + [#"symbol-text id=1 text="deal""#])
    #expect(!FileManager.default.fileExists(atPath: trace.path + ".spool"))
    try TraceFinisher.store([newName], in: trace.path)
    #expect(try trace.dump() == lines + [#"symbol-text id=1 text="shuffle""#])
    let reader = try TraceReader(path: trace.path)
    #expect(!reader.header.isFinished && reader.droppedEvents == 4)
}

@Test("what is missing in a trace is still missing in it with names")
func storedNamesOfADamagedTrace() throws {
    let trace = try TemporaryTrace(traceOfEverything())
    let final = trace.folder.appendingPathComponent("final.gptrace").path
    try TraceFinisher.compress(trace.path, into: final)
    try trace.write(Array(try trace.read("final.gptrace").dropLast(3)), to: "final.gptrace")
    try TraceFinisher.store([name], in: final)
    let reader = try TraceReader(path: final)
    var records: [TraceRecord] = []
    try reader.readRecords { record, _ in records.append(record) }
    let sentence = "The trace is cut off; it was read up to its last whole record."
    #expect(records == [.loss(RemarkRecord(events: 0, sentence: sentence)), .symbol(name)])
    #expect(!reader.header.isFinished && reader.damage.isNone)
}

@Test("a linked trace keeps its link and its mode, and nothing is left beside it when it cannot be read")
func storedNamesBehindALink() throws {
    let trace = try TemporaryTrace(traceOfEverything())
    let link = trace.folder.appendingPathComponent("link.gptrace").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: trace.path)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: trace.path)
    try TraceFinisher.store([newName], in: link)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == trace.path)
    let mode = try FileManager.default.attributesOfItem(atPath: trace.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    try trace.write([1, 2, 3], to: "broken.gptrace")
    let broken = trace.folder.appendingPathComponent("broken.gptrace").path
    #expect(throws: TraceError.notATrace(path: broken)) { try TraceFinisher.store([name], in: broken) }
    #expect(
        try FileManager.default.contentsOfDirectory(atPath: trace.folder.path).allSatisfy { !$0.hasSuffix("partial") })
}
