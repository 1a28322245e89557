import GameprofAnalysis
import GameprofBasics
import GameprofTrace

/// What the page of a running program shows, and what of its tracks has changed since it asked before.
package struct LiveMoment: Encodable, Sendable {
    /// A figure over time.
    struct Track: Encodable, Sendable {
        enum Kind: String, Encodable, Sendable { case level, rate, share, frames }

        var id: String
        var name: String
        var kind: Kind
        /// By part, from `from` on: bytes, events a second, processors, milliseconds of the longest frame.
        var values: [Double]
        /// Milliseconds that a frame may take.
        var budget: Double?
    }

    struct Figure: Encodable, Sendable {
        var name: String
        var value: String
    }

    /// A function, and its shares of all CPU time.
    struct Function: Encodable, Sendable {
        var name: String
        var module: String
        var own: Double
        var total: Double
    }

    /// Intervals of one name that the program gave; mean and longest in seconds.
    struct Interval: Encodable, Sendable {
        var name: String
        var count: UInt64
        var mean: Double
        var longest: Double
    }

    struct Counter: Encodable, Sendable {
        var name: String
        var value: Double
    }

    struct Mark: Encodable, Sendable {
        var time: Double
        var name: String
    }

    /// The revision of the parts' figures, which the page sends when it asks again.
    var revision: Int
    /// Seconds of a part, and how many there are.
    var width: Double
    var count: Int
    /// The first part whose values are here.
    var from: Int
    /// Since recording began.
    var seconds: Double
    var program: String
    var tracks: [Track] = []
    var figures: [Figure] = []
    var functions: [Function] = []
    var intervals: [Interval] = []
    var counters: [Counter] = []
    var marks: [Mark] = []
    var snapshots: [LiveSnapshot]
    var notes: [String]

    private static let (functionLimit, nameLimit, textLength) = (25, 40, 200)

    /// - Parameters:
    ///   - revision: that the page knows; 0: it knows nothing.
    ///   - time: nanoseconds since recording began.
    package init(
        _ recording: LiveRecording, _ profile: LiveProfile, since revision: Int, at time: UInt64,
        snapshots: [LiveSnapshot]
    ) {
        let timeline = recording.timeline
        self.revision = timeline.revision
        width = Double(timeline.width) / 1e9
        count = timeline.count
        from = timeline.firstChange(after: revision)
        seconds = Double(time) / 1e9
        program = PageText.clean(
            recording.program?.executable.split(separator: "/").last.map(String.init) ?? "", limit: Self.textLength)
        self.snapshots = snapshots
        notes = recording.notes.map { PageText.clean($0) }
        let series = LiveSeries(recording)
        tracks = series.tracks(from: from)
        figures = series.figures
        functions = profile.hottest(Self.functionLimit).map { function in
            let all = Double(max(profile.total, 1))
            return Function(
                name: Self.text(FunctionName.display(function.name)), module: Self.text(function.module),
                own: Self.rounded(Double(function.own) / all), total: Self.rounded(Double(function.total) / all))
        }
        intervals = recording.probes.intervalsByName().sorted { ($0.value.total, $1.key) > ($1.value.total, $0.key) }
            .prefix(Self.nameLimit).map { name, interval in
                Interval(
                    name: Self.text(name), count: interval.count,
                    mean: Double(interval.total) / Double(max(interval.count, 1)) / 1e9,
                    longest: Double(interval.longest) / 1e9)
            }
        counters = recording.probes.counters.sorted { $0.key < $1.key }.prefix(Self.nameLimit)
            .map { Counter(name: Self.text($0.key), value: $0.value) }
        marks = recording.marks.map { Mark(time: Double($0.time) / 1e9, name: Self.text($0.name)) }
    }

    private static func text(_ text: String) -> String { PageText.clean(text, limit: textLength) }

    static func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }
}

/// A heap snapshot that was asked for while the program runs.
package struct LiveSnapshot: Encodable, Sendable {
    struct Finding: Encodable, Sendable {
        var severity: String
        var title: String
        var count: Int
        var bytes: UInt64
    }

    var number: UInt32
    var time: Double
    /// Seconds for which the program stood still.
    var pause: Double
    var bytes: UInt64
    var blocks: UInt64
    var lostBlocks: UInt64
    var lostBytes: UInt64
    /// Why it gives no result.
    var problem: String?
    /// What is lost; nil: nobody asked.
    var findings: [Finding]?

    private static let findingLimit = 50

    /// Nil: the recording has none.
    /// - Parameter symbolicator: names what is lost; nil: nobody asks what that is.
    package init?(_ recording: Recording, symbolicator: (any Symbolicating)?) {
        guard let snapshot = recording.heapSnapshots.first else { return nil }
        number = snapshot.begin.snapshot.rawValue
        time = Double(snapshot.begin.time) / 1e9
        pause = Double(snapshot.begin.pause) / 1e9
        bytes = snapshot.liveBytes
        blocks = snapshot.end?.blocks ?? 0
        lostBlocks = snapshot.end?.unreachableBlocks ?? 0
        lostBytes = snapshot.end?.unreachableBytes ?? 0
        problem = snapshot.unsoundReason.map { PageText.clean($0) }
        guard let symbolicator, problem == nil else { return }
        let report = Report(
            ReportBuilder.build(recording: recording, symbolicator: symbolicator, options: ReportOptions()))
        findings = report.findings.filter { $0.severity != .note }.prefix(Self.findingLimit).map {
            Finding(
                severity: $0.severity.rawValue, title: PageText.clean($0.title), count: $0.count, bytes: $0.bytes)
        }
    }
}
