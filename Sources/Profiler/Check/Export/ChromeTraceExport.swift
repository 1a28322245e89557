import Foundation
import GameprofAnalysis
import GameprofTrace

/// The trace event format of Chrome and Perfetto: a frame is a slice that lasts from the first sample that has it to
/// the last in a row. Of slices of the same time the caller stands first: readers nest them in the order of the file.
/// Probes have tracks of their own, one for each thread and one for each loop.
enum ChromeTraceExport {
    static func render(_ profile: Profile) throws -> Data {
        var events: [Event] = []
        for (index, thread) in profile.threads.enumerated() {
            events.append(.threadName(thread.name, thread: index + 1))
            var slices = Slices(profile: profile, thread: index + 1)
            for sample in profile.samples where sample.thread == index { slices.add(sample) }
            events += slices.finish()
        }
        events += probes(of: profile)
        return try ExportJSON.encode(File(traceEvents: events, otherData: ["program": profile.title]))
    }

    /// Tracks that are no threads have numbers beyond those of the threads.
    private static func probes(of profile: Profile) -> [Event] {
        let timeline = profile.timeline
        var events: [Event] = []
        var tracks: [String: Int] = [:]
        func track(_ name: String) -> Int {
            if let known = tracks[name] { return known }
            let number = profile.threads.count + tracks.count + 1
            tracks[name] = number
            events.append(.threadName(name, thread: number))
            return number
        }
        let names = Dictionary(profile.threads.map { ($0.id, $0.name) }) { first, _ in first }
        func probeTrack(_ thread: ThreadID) -> Int { track("\(names[thread] ?? "thread \(thread)"): probes") }
        for (number, interval) in timeline.intervals.enumerated() {
            let (start, length) = (Double(interval.start) / 1000, Double(interval.end - interval.start) / 1000)
            switch interval.kind {
            case .interval:
                let thread = probeTrack(interval.thread)
                events.append(Event(name: interval.name, ph: "X", tid: thread, ts: start, dur: length, cat: "probe"))
            case .frame:
                let loop = track("frames: \(interval.name)")
                events.append(Event(name: interval.name, ph: "X", tid: loop, ts: start, dur: length, cat: "frame"))
            case .span:
                let thread = probeTrack(interval.thread)
                for (phase, time) in [("b", start), ("e", start + length)] {
                    var event = Event(name: interval.name, ph: phase, tid: thread, ts: time, cat: "span")
                    event.id = "\(number)"
                    events.append(event)
                }
            }
        }
        for moment in timeline.events {
            var event = Event(
                name: moment.name, ph: "i", tid: probeTrack(moment.thread), ts: Double(moment.time) / 1000, cat: "event"
            )
            event.s = "t"
            events.append(event)
        }
        for mark in timeline.marks {
            var event = Event(name: mark.name, ph: "i", tid: 1, ts: Double(mark.time) / 1000, cat: "mark")
            event.s = "g"
            events.append(event)
        }
        for value in timeline.values {
            events.append(
                Event(
                    name: value.name, ph: "C", tid: 1, ts: Double(value.time) / 1000, cat: "counter",
                    args: ["value": .number(value.value)]))
        }
        return events
    }

    private struct File: Encodable {
        var traceEvents: [Event]
        var displayTimeUnit = "ms"
        var otherData: [String: String]
    }

    /// Times in microseconds.
    fileprivate struct Event: Encodable {
        var name: String
        var ph: String
        var pid = 1
        var tid: Int
        var ts: Double?
        var dur: Double?
        var cat: String?
        /// What an instant belongs to: its thread (t), or all (g).
        var s: String?
        /// Of an interval that may end on another thread.
        var id: String?
        var args: [String: Argument] = [:]

        static func threadName(_ name: String, thread: Int) -> Event {
            Event(name: "thread_name", ph: "M", tid: thread, args: ["name": .text(name)])
        }
    }

    fileprivate enum Argument: Encodable {
        case text(String)
        case number(Double)

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .text(let text): try container.encode(text)
            case .number(let number): try container.encode(number)
            }
        }
    }

    /// The frames of one thread that are open at a moment.
    private struct Slices {
        let profile: Profile
        let thread: Int
        /// With the time and the event of each.
        private var open: [(frame: Profile.FrameID, start: UInt64, event: Int)] = []
        private var now: UInt64 = 0
        private var events: [Event] = []

        init(profile: Profile, thread: Int) {
            self.profile = profile
            self.thread = thread
        }

        /// Samples come in order of time. One stands for the time before it.
        mutating func add(_ sample: Profile.Sample) {
            let period = sample.weight / UInt64(max(sample.count, 1))
            let start = max(now, sample.time >= period ? sample.time - period : 0)
            if start > now &+ period / 2 { close(to: 0) }
            now = start
            let path = profile.path(from: sample.node).reversed().map { profile.nodes[$0.index].frame }
            let common = zip(open, path).prefix { $0.frame == $1 }.count
            close(to: common)
            for frame in path[common...] { begin(frame, at: start) }
            now = max(sample.end, start)
        }

        mutating func finish() -> [Event] {
            close(to: 0)
            return events
        }

        private mutating func begin(_ frame: Profile.FrameID, at start: UInt64) {
            let place = profile.frames[frame.index]
            let function = profile.functions[place.function.index]
            var args: [String: Argument] = [:]
            if let file = function.file { args["source"] = .text(file + (place.line.map { ":\($0)" } ?? "")) }
            open.append((frame, start, events.count))
            events.append(
                Event(
                    name: function.name, ph: "X", tid: thread, ts: Double(start) / 1000,
                    cat: function.module.isEmpty ? "code" : function.module, args: args))
        }

        private mutating func close(to depth: Int) {
            while open.count > depth, let (_, start, event) = open.popLast() {
                events[event].dur = Double(now - start) / 1000
            }
        }
    }
}
