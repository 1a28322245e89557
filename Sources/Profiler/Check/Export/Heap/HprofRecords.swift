import GameprofAnalysis

/// The identifier of an object, class or text in a Java heap dump.
struct HprofID {
    var rawValue: UInt64

    init(_ rawValue: UInt64) { self.rawValue = rawValue }

    static let none = HprofID(0)
}

/// The type of a field, as a Java heap dump numbers them.
enum HprofType: UInt8 {
    case object = 2
    case byte = 8
    case long = 11
}

/// Writes the records of a Java heap dump (JAVA PROFILE 1.0.2). Every number is big-endian.
struct HprofRecords {
    enum Root: UInt8 {
        case jniGlobal = 0x01
        case nativeStack = 0x04
        case stickyClass = 0x05
        case threadBlock = 0x06
    }

    private enum Tag {
        static let text: UInt8 = 0x01, loadClass: UInt8 = 0x02, frame: UInt8 = 0x04, trace: UInt8 = 0x05
        static let segment: UInt8 = 0x1c, end: UInt8 = 0x2c
        static let classDump: UInt8 = 0x20, instance: UInt8 = 0x21, objectArray: UInt8 = 0x22
    }

    /// Above all addresses of a process.
    private static let firstClass: UInt64 = 0x7000_0000_0000_0000
    private static let segmentSize = 1 << 20
    /// A segment's length has 32 bits.
    private static let mostElements: UInt64 = 1 << 28

    private let out: ExportStream
    private var segment: [UInt8] = []
    private var texts: [String: UInt64] = [:]
    private var classCount: UInt32 = 0
    private var modules: [String: UInt32] = [:]
    private var frames: [HeapDump.Frame: UInt64] = [:]
    private var traceCount: UInt32 = 0

    init(_ out: ExportStream) { self.out = out }

    func begin(milliseconds: UInt64) throws {
        var bytes = Array("JAVA PROFILE 1.0.2\0".utf8)
        bytes.put(UInt32(8))
        bytes.put(milliseconds)
        try out.put(bytes)
    }

    private func record(_ tag: UInt8, _ body: [UInt8]) throws {
        var head = [tag]
        head.put(UInt32(0))
        head.put(UInt32(body.count))
        try out.put(head)
        try out.put(body)
    }

    private mutating func text(_ text: String) throws -> UInt64 {
        if let known = texts[text] { return known }
        let id = UInt64(texts.count + 1)
        texts[text] = id
        var body: [UInt8] = []
        body.put(id)
        try record(Tag.text, body + Array(text.utf8))
        return id
    }

    // MARK: - Classes and stacks

    mutating func loadClass(_ name: String) throws -> HprofID {
        classCount += 1
        let id = HprofID(Self.firstClass + 16 * UInt64(classCount))
        var body: [UInt8] = []
        body.put(classCount)
        body.put(id.rawValue)
        body.put(UInt32(1))
        body.put(try text(name))
        try record(Tag.loadClass, body)
        return id
    }

    /// The serial number of a class that stands for a module in stacks.
    private mutating func module(_ name: String) throws -> UInt32 {
        if let known = modules[name] { return known }
        _ = try loadClass(name)
        modules[name] = classCount
        return classCount
    }

    private mutating func frame(_ frame: HeapDump.Frame) throws -> UInt64 {
        if let known = frames[frame] { return known }
        let id = UInt64(frames.count + 1)
        frames[frame] = id
        let file = frame.file.split(separator: "/").last.map(String.init) ?? ""
        var body: [UInt8] = []
        body.put(id)
        body.put(try text(frame.function))
        body.put(try text(""))
        body.put(file.isEmpty ? 0 : try text(file))
        body.put(try module(frame.module))
        // 0: no line is known.
        body.put(UInt32(bitPattern: Int32(clamping: frame.line)))
        try record(Tag.frame, body)
        return id
    }

    /// Returns the serial number of the stack, whose innermost call comes first.
    mutating func stackTrace(_ calls: [HeapDump.Frame]) throws -> UInt32 {
        let ids = try calls.map { try frame($0) }
        traceCount += 1
        var body: [UInt8] = []
        body.put(traceCount)
        body.put(UInt32(0))
        body.put(UInt32(ids.count))
        for id in ids { body.put(id) }
        try record(Tag.trace, body)
        return traceCount
    }

    // MARK: - The heap

    mutating func classDump(
        _ id: HprofID, super parent: HprofID, fields: [(name: String, type: HprofType)] = [], size: Int = 0,
        statics: [(name: String, type: HprofType, value: UInt64)] = []
    ) throws {
        // Names come before the segment that uses them.
        let staticNames = try statics.map { try text($0.name) }
        let fieldNames = try fields.map { try text($0.name) }
        segment.append(Tag.classDump)
        segment.put(id.rawValue)
        segment.put(UInt32(1))
        segment.put(parent.rawValue)
        // Loader, signers, domain and two reserved ones.
        for _ in 0..<5 { segment.put(UInt64(0)) }
        segment.put(UInt32(size))
        segment.put(UInt16(0))
        segment.put(UInt16(statics.count))
        for (name, field) in zip(staticNames, statics) {
            segment.put(name)
            segment.append(field.type.rawValue)
            segment.put(field.value)
        }
        segment.put(UInt16(fields.count))
        for (name, field) in zip(fieldNames, fields) {
            segment.put(name)
            segment.append(field.type.rawValue)
        }
        try passFull()
    }

    mutating func root(_ kind: Root, _ id: HprofID, thread: UInt32 = 0) throws {
        segment.append(kind.rawValue)
        segment.put(id.rawValue)
        switch kind {
        case .jniGlobal: segment.put(UInt64(0))
        case .nativeStack, .threadBlock: segment.put(thread)
        case .stickyClass: break
        }
        try passFull()
    }

    mutating func instance(
        _ id: HprofID, _ type: HprofID, _ stack: UInt32, _ values: [UInt64], padding: Int
    ) throws {
        segment.append(Tag.instance)
        segment.put(id.rawValue)
        segment.put(stack)
        segment.put(type.rawValue)
        segment.put(UInt32(8 * values.count + padding))
        for value in values { segment.put(value) }
        segment += [UInt8](repeating: 0, count: padding)
        try passFull()
    }

    /// An array of references, filled up with null to `length`.
    mutating func array(
        _ id: HprofID, _ type: HprofID, _ stack: UInt32, _ targets: [UInt64], length: UInt64
    ) throws {
        let count = min(length, Self.mostElements)
        let used = targets.prefix(Int(count))
        var head = [Tag.objectArray]
        head.put(id.rawValue)
        head.put(stack)
        head.put(UInt32(count))
        head.put(type.rawValue)
        let zeros = 8 * (count - UInt64(used.count))
        guard zeros > Self.segmentSize else {
            segment += head
            for target in used { segment.put(target) }
            segment += [UInt8](repeating: 0, count: Int(zeros))
            return try passFull()
        }
        // A segment of its own, whose length is known before its bytes are.
        try passSegment()
        var record = [Tag.segment]
        record.put(UInt32(0))
        record.put(UInt32(UInt64(head.count) + 8 * count))
        try out.put(record + head)
        var body: [UInt8] = []
        for target in used { body.put(target) }
        try out.put(body)
        try out.put(zeros: zeros)
    }

    private mutating func passFull() throws {
        if segment.count >= Self.segmentSize { try passSegment() }
    }

    private mutating func passSegment() throws {
        guard !segment.isEmpty else { return }
        try record(Tag.segment, segment)
        segment.removeAll(keepingCapacity: true)
    }

    mutating func end() throws {
        try passSegment()
        try record(Tag.end, [])
    }
}

extension [UInt8] {
    fileprivate mutating func put(_ number: some FixedWidthInteger) {
        for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }
}
