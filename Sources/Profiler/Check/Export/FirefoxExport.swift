import Foundation
import GameprofAnalysis
import GameprofBasics

/// The processed profile format of the Firefox Profiler. Its tables are columns of equal length; times are
/// milliseconds.
enum FirefoxExport {
    static func render(_ profile: Profile) throws -> Data {
        var file = File(meta: Meta(profile))
        file.threads = profile.threads.indices.map { Thread(profile, $0) }
            .filter { $0.samples.length > 0 || $0.markers.length > 0 }
        return try ExportJSON.encode(file)
    }

    private struct File: Encodable {
        var meta: Meta
        var libs: [String] = []
        var pages: [String] = []
        var profilerOverhead: [String] = []
        var counters: [String] = []
        var threads: [Thread] = []
    }

    private struct Category: Encodable {
        var name: String
        var color: String
        var subcategories = ["Other"]
    }

    private struct Meta: Encodable {
        var categories = [Category(name: "Program", color: "blue"), Category(name: "Runtime", color: "grey")]
        var debug = false
        var extensions = Extensions()
        var interval: Double
        var markerSchema: [String] = []
        var oscpu = "Linux"
        var pausedRanges: [String] = []
        var preprocessedProfileVersion = 54
        var processType = 0
        var product: String
        var sampleUnits = ["time": "ms", "eventDelay": "ms", "threadCPUDelta": "µs"]
        var sourceCodeIsNotOnSearchfox = true
        var startTime: Double
        var symbolicated = true
        var usesOnlyOneStackType = true
        var version = 24

        init(_ profile: Profile) {
            interval = Double(profile.period) / 1e6
            product = profile.title
            startTime = Double(profile.startUnixNanoseconds) / 1e6
        }
    }

    private struct Extensions: Encodable {
        var baseURL: [String] = []
        var id: [String] = []
        var length = 0
        var name: [String] = []
    }

    private struct Thread: Encodable {
        var frameTable = FrameTable()
        var funcTable = FunctionTable()
        var isMainThread: Bool
        var markers = Markers()
        var name: String
        var nativeSymbols = NativeSymbols()
        var pausedRanges: [String] = []
        var pid = "1"
        var processName: String
        var processStartupTime = 0.0
        var processType = "default"
        var registerTime = 0.0
        var resourceTable = ResourceTable()
        var samples = Samples()
        var showMarkersInTimeline = false
        var stackTable = StackTable()
        var stringArray: [String] = []
        var tid: String

        init(_ profile: Profile, _ index: Int) {
            let thread = profile.threads[index]
            (name, processName, tid) = (thread.name, profile.title, "\(thread.id)")
            isMainThread = thread.name == "main" || profile.threads.count == 1
            var strings = StringTable()
            for function in profile.functions {
                let resource = resourceTable.index(of: strings.index(of: function.image))
                funcTable.add(
                    name: strings.index(of: function.name), resource: resource,
                    file: function.file.map { strings.index(of: $0) })
            }
            for frame in profile.frames {
                let isUser = profile.functions[frame.function.index].origin == .user
                frameTable.add(frame, category: isUser ? .user : .other)
            }
            for node in profile.nodes.dropFirst() {
                stackTable.add(prefix: node.parent == .root ? nil : node.parent.index - 1, frame: node.frame.index)
            }
            for sample in profile.samples where sample.thread == index { samples.add(sample) }
            let timeline = profile.timeline
            for interval in timeline.intervals where interval.thread == thread.id {
                markers.add(name: strings.index(of: interval.name), from: interval.start, to: interval.end)
            }
            for event in timeline.events where event.thread == thread.id {
                markers.add(name: strings.index(of: event.name), from: event.time)
            }
            // They are of no thread: the first shows them.
            for mark in timeline.marks where index == 0 {
                markers.add(name: strings.index(of: mark.name), from: mark.time)
            }
            showMarkersInTimeline = markers.length > 0
            stringArray = strings.strings
        }
    }
}
