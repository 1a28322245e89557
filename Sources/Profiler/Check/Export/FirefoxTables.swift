import GameprofAnalysis
import GameprofTrace

/// The tables of a thread in Firefox's format, each a set of columns. What the format has no use for here is empty.
extension FirefoxExport {
    /// Indices in the file's list of categories.
    enum Origin: Int {
        case user = 0
        case other = 1
    }

    struct StringTable {
        var strings: [String] = []
        private var indices: [String: Int] = [:]

        mutating func index(of text: String) -> Int {
            if let known = indices[text] { return known }
            indices[text] = strings.count
            strings.append(text)
            return strings.count - 1
        }
    }

    struct FrameTable: Encodable {
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

    struct FunctionTable: Encodable {
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

    struct ResourceTable: Encodable {
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

    struct StackTable: Encodable {
        var length = 0
        var prefix: [Int?] = []
        var frame: [Int] = []

        mutating func add(prefix: Int?, frame: Int) {
            length += 1
            self.prefix.append(prefix)
            self.frame.append(frame)
        }
    }

    struct Samples: Encodable {
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

    struct Markers: Encodable {
        var length = 0
        var category: [Int] = []
        /// None has any.
        var data: [Int?] = []
        var endTime: [Double?] = []
        var name: [Int] = []
        /// 0: a moment, 1: an interval.
        var phase: [Int] = []
        var startTime: [Double] = []

        /// Times are nanoseconds; `end` nil: a moment.
        mutating func add(name: Int, from start: UInt64, to end: UInt64? = nil) {
            length += 1
            category.append(Origin.user.rawValue)
            data.append(nil)
            endTime.append(end.map { Double($0) / 1e6 })
            self.name.append(name)
            phase.append(end == nil ? 0 : 1)
            startTime.append(Double(start) / 1e6)
        }
    }

    struct NativeSymbols: Encodable {
        var length = 0
        var address: [Int] = []
        var functionSize: [Int] = []
        var libIndex: [Int] = []
        var name: [Int] = []
    }
}
