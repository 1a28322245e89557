import Foundation

/// The processed profile format of the Firefox Profiler. Its tables are columns of equal length; times are
/// milliseconds.
enum FirefoxExport {
    static func render(_ profile: Profile) throws -> Data {
        var file = File(meta: Meta(profile))
        file.threads = profile.threads.indices.map { Thread(profile, $0) }.filter { $0.samples.length > 0 }
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

    /// Indices in `Meta.categories`.
    private enum Origin: Int {
        case user = 0
        case other = 1
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
            for (index, function) in profile.functions.enumerated() {
                let resource = resourceTable.index(of: strings.index(of: function.image))
                funcTable.add(
                    name: strings.index(of: function.name), resource: resource,
                    file: function.file.map { strings.index(of: $0) })
                assert(funcTable.length == index + 1)
            }
            for frame in profile.frames {
                let isUser = profile.functions[frame.function.index].origin == .user
                frameTable.add(frame, category: isUser ? .user : .other)
            }
            for node in profile.nodes.dropFirst() {
                stackTable.add(prefix: node.parent == .root ? nil : node.parent.index - 1, frame: node.frame.index)
            }
            for sample in profile.samples where sample.thread == index { samples.add(sample) }
            stringArray = strings.strings
        }
    }

    private struct StringTable {
        var strings: [String] = []
        private var indices: [String: Int] = [:]

        mutating func index(of text: String) -> Int {
            if let known = indices[text] { return known }
            indices[text] = strings.count
            strings.append(text)
            return strings.count - 1
        }
    }

    private struct FrameTable: Encodable {
        var length = 0
        var address: [Int] = []
        var inlineDepth: [Int] = []
        var category: [Int] = []
        var subcategory: [Int] = []
        var `func`: [Int] = []
        var nativeSymbol: [Int?] = []
        var innerWindowID: [Int?] = []
        var line: [Int?] = []
        var column: [Int?] = []

        mutating func add(_ frame: Profile.Frame, category origin: Origin) {
            length += 1
            address.append(-1)
            inlineDepth.append(frame.isInlined ? 1 : 0)
            category.append(origin.rawValue)
            subcategory.append(0)
            `func`.append(frame.function.index)
            nativeSymbol.append(nil)
            innerWindowID.append(nil)
            line.append(frame.line)
            column.append(nil)
        }
    }

    private struct FunctionTable: Encodable {
        var length = 0
        var name: [Int] = []
        var isJS: [Bool] = []
        var relevantForJS: [Bool] = []
        var resource: [Int] = []
        var fileName: [Int?] = []
        var lineNumber: [Int?] = []
        var columnNumber: [Int?] = []

        mutating func add(name: Int, resource: Int, file: Int?) {
            length += 1
            self.name.append(name)
            isJS.append(false)
            relevantForJS.append(false)
            self.resource.append(resource)
            fileName.append(file)
            lineNumber.append(nil)
            columnNumber.append(nil)
        }
    }

    private struct ResourceTable: Encodable {
        var length = 0
        var lib: [Int?] = []
        var name: [Int] = []
        var host: [Int?] = []
        var type: [Int] = []

        mutating func index(of name: Int) -> Int {
            if let known = self.name.firstIndex(of: name) { return known }
            length += 1
            lib.append(nil)
            self.name.append(name)
            host.append(nil)
            type.append(1)
            return length - 1
        }
    }

    private struct StackTable: Encodable {
        var length = 0
        var prefix: [Int?] = []
        var frame: [Int] = []

        mutating func add(prefix: Int?, frame: Int) {
            length += 1
            self.prefix.append(prefix)
            self.frame.append(frame)
        }
    }

    private struct Samples: Encodable {
        var length = 0
        var weightType = "samples"
        var stack: [Int?] = []
        var timeDeltas: [Double] = []
        var weight: [Int] = []
        var threadCPUDelta: [UInt64] = []
        private var last: UInt64 = 0

        enum CodingKeys: String, CodingKey { case length, weightType, stack, timeDeltas, weight, threadCPUDelta }

        mutating func add(_ sample: Profile.Sample) {
            let cpu = sample.kind == .computing ? sample.weight / UInt64(max(sample.count, 1)) / 1000 : 0
            for time in sample.times {
                length += 1
                stack.append(sample.node == .root ? nil : sample.node.index - 1)
                timeDeltas.append(Double(max(time, last) - last) / 1e6)
                weight.append(1)
                threadCPUDelta.append(cpu)
                last = max(time, last)
            }
        }
    }

    private struct Markers: Encodable {
        var length = 0
        var category: [Int] = []
        var data: [Int] = []
        var endTime: [Double] = []
        var name: [Int] = []
        var phase: [Int] = []
        var startTime: [Double] = []
    }

    private struct NativeSymbols: Encodable {
        var length = 0
        var address: [Int] = []
        var functionSize: [Int] = []
        var libIndex: [Int] = []
        var name: [Int] = []
    }
}
