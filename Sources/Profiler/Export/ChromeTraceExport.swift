import Foundation

/// The trace event format of Chrome and Perfetto: a frame is a slice that lasts from the first sample that has it to
/// the last in a row. Of slices of the same time the caller stands first: readers nest them in the order of the file.
enum ChromeTraceExport {
    static func render(_ profile: Profile) throws -> Data {
        var events: [Event] = []
        for (index, thread) in profile.threads.enumerated() {
            events.append(.threadName(thread.name, thread: index + 1))
            var slices = Slices(profile: profile, thread: index + 1)
            for sample in profile.samples where sample.thread == index { slices.add(sample) }
            events += slices.finish()
        }
        return try ExportJSON.encode(File(traceEvents: events, otherData: ["program": profile.title]))
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
        var args: [String: String] = [:]

        static func threadName(_ name: String, thread: Int) -> Event {
            Event(name: "thread_name", ph: "M", tid: thread, args: ["name": name])
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
            var args: [String: String] = [:]
            if let file = function.file { args["source"] = file + (place.line.map { ":\($0)" } ?? "") }
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
