import CoreMetrics
import Foundation
import GameInstrumentation
import InstrumentationAdapters
import Testing
import Tracing

/// A recording is made once in a process: all handlers speak in it, then the trace's bytes are searched for the names.
@Test func timersCountersAndSpansAreWrittenIntoTheTrace() throws {
    let trace = FileManager.default.temporaryDirectory.appending(path: "adapters-\(UUID().uuidString).gptrace")
    defer { try? FileManager.default.removeItem(at: trace) }
    try Instrumentation.start(path: trace.path)

    let metrics = ProbeMetrics()
    metrics.makeTimer(label: "frame.time", dimensions: []).recordNanoseconds(16_000_000)
    let counter = metrics.makeCounter(label: "cards.turned", dimensions: [("player", "1")])
    counter.increment(by: 2)
    struct Refusal: Error {}
    let tracer = ProbeTracer()
    #expect(throws: Refusal.self) {
        try tracer.withSpan("load.level") { span in
            #expect(span.isRecording)
            span.addEvent("half.way")
            span.attributes["level"] = 2
            throw Refusal()
        }
    }
    let span = tracer.startSpan("save.level")
    span.end()
    span.end()
    #expect(!span.isRecording)
    Instrumentation.stop()

    let bytes = String(decoding: try Data(contentsOf: trace), as: Unicode.ASCII.self)
    for name in [
        "frame.time", "cards.turned{player=1}", "load.level", "half.way", "load.level failed", "save.level",
    ] {
        #expect(bytes.contains(name), "\(name)")
    }
}
