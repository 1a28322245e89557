import CoreMetrics
import Foundation
import Instrumentation
import InstrumentationAdapters
import Testing

/// A recording is made once in a process: all handlers speak in it, then the trace's bytes are searched for the names.
@Test func timersAndCountersAreWrittenIntoTheTrace() throws {
    let trace = FileManager.default.temporaryDirectory.appending(path: "adapters-\(UUID().uuidString).gptrace")
    defer { try? FileManager.default.removeItem(at: trace) }
    try Instrumentation.start(path: trace.path)

    let metrics = ProbeMetrics()
    metrics.makeTimer(label: "frame.time", dimensions: []).recordNanoseconds(16_000_000)
    let counter = metrics.makeCounter(label: "cards.turned", dimensions: [("player", "1")])
    counter.increment(by: 2)
    Instrumentation.stop()

    let bytes = String(decoding: try Data(contentsOf: trace), as: Unicode.ASCII.self)
    for name in ["frame.time", "cards.turned{player=1}"] {
        #expect(bytes.contains(name), "\(name)")
    }
}
