import Testing

/// Reads a Java heap dump, record by record.
struct HprofFile {
    struct Class {
        var name: String
        var parent: UInt64
        var size: Int
        var statics: [String: UInt64]
        /// In the order of an instance's values; number 2: a reference, 8: a byte, 11: a long.
        var fields: [(name: String, type: UInt8)]
    }

    struct Object {
        var type: UInt64
        var stack: UInt32
        /// Bytes of its values.
        var bytes: Int
        /// Of an instance by name, of an array by position.
        var references: [(name: String, target: UInt64)]
    }

    private(set) var format = ""
    private(set) var classes: [UInt64: Class] = [:]
    private(set) var instances: [UInt64: Object] = [:]
    private(set) var arrays: [UInt64: Object] = [:]
    /// Tag of the root's record by what it names.
    private(set) var roots: [UInt64: UInt8] = [:]
    /// Functions of a stack by its number, innermost first.
    private(set) var stacks: [UInt32: [String]] = [:]
    private(set) var isEnded = false

    private var texts: [UInt64: String] = [:]
    private var names: [UInt64: String] = [:]
    private var frames: [UInt64: String] = [:]
    private var waiting: [(id: UInt64, type: UInt64, stack: UInt32, bytes: [UInt8])] = []

    init(_ bytes: [UInt8]) throws {
        var file = Bytes(bytes[...])
        let end = try #require(bytes.firstIndex(of: 0))
        format = String(decoding: bytes[..<end], as: UTF8.self)
        _ = try file.take(end + 1)
        try #require(try file.number(4) == 8)
        _ = try file.take(8)
        while !file.isEmpty {
            let tag = try file.number(1)
            _ = try file.take(4)
            var body = Bytes(try file.take(Int(try file.number(4))))
            switch tag {
            case 0x01: texts[try body.number(8)] = String(decoding: try body.take(body.count), as: UTF8.self)
            case 0x02:
                _ = try body.take(4)
                let id = try body.number(8)
                _ = try body.take(4)
                names[id] = texts[try body.number(8)]
            case 0x04: frames[try body.number(8)] = texts[try body.number(8)]
            case 0x05:
                let stack = UInt32(try body.number(4))
                _ = try body.take(4)
                stacks[stack] = try (0..<(try body.number(4))).map { _ in
                    let frame = try body.number(8)
                    return try #require(frames[frame])
                }
            case 0x1c: try readSegment(&body)
            case 0x2c: isEnded = true
            default: Issue.record("a record with the tag \(tag)")
            }
        }
        for row in waiting { try readInstance(row) }
    }

    private mutating func readSegment(_ body: inout Bytes) throws {
        while !body.isEmpty {
            let tag = UInt8(try body.number(1))
            let id = try body.number(8)
            switch tag {
            case 0x01:
                _ = try body.take(8)
                roots[id] = tag
            case 0x04, 0x06:
                _ = try body.take(4)
                roots[id] = tag
            case 0x05: roots[id] = tag
            case 0x20: try readClass(id, &body)
            case 0x21:
                let stack = UInt32(try body.number(4))
                let type = try body.number(8)
                waiting.append((id, type, stack, Array(try body.take(Int(try body.number(4))))))
            case 0x22:
                let stack = UInt32(try body.number(4))
                let count = Int(try body.number(4))
                let type = try body.number(8)
                var targets = Bytes(try body.take(8 * count))
                arrays[id] = Object(type: type, stack: stack, bytes: 8 * count, references: try targets.references())
            default: Issue.record("a part of the heap with the tag \(tag)")
            }
        }
    }

    private mutating func readClass(_ id: UInt64, _ body: inout Bytes) throws {
        _ = try body.take(4)
        let parent = try body.number(8)
        _ = try body.take(40)
        let size = Int(try body.number(4))
        try #require(try body.number(2) == 0)
        var statics: [String: UInt64] = [:]
        for _ in 0..<(try body.number(2)) {
            let name = try #require(texts[try body.number(8)])
            let isReference = try body.number(1) == 2
            let value = try body.number(8)
            if isReference { statics[name] = value }
        }
        let fields = try (0..<(try body.number(2))).map { _ in
            let name = try body.number(8)
            return (name: try #require(texts[name]), type: UInt8(try body.number(1)))
        }
        classes[id] = Class(
            name: try #require(names[id]), parent: parent, size: size, statics: statics, fields: fields)
    }

    private mutating func readInstance(
        _ row: (id: UInt64, type: UInt64, stack: UInt32, bytes: [UInt8])
    ) throws {
        var bytes = Bytes(row.bytes[...])
        var references: [(String, UInt64)] = []
        for field in try #require(classes[row.type]).fields {
            let value = try bytes.number(field.type == 8 ? 1 : 8)
            if field.type == 2, value != 0 { references.append((field.name, value)) }
        }
        try #require(bytes.isEmpty)
        instances[row.id] = Object(type: row.type, stack: row.stack, bytes: row.bytes.count, references: references)
    }

    private struct Bytes {
        private var rest: ArraySlice<UInt8>

        init(_ rest: ArraySlice<UInt8>) { self.rest = rest }

        var isEmpty: Bool { rest.isEmpty }
        var count: Int { rest.count }

        mutating func take(_ count: Int) throws -> ArraySlice<UInt8> {
            try #require(count <= rest.count)
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }

        mutating func number(_ count: Int) throws -> UInt64 { try take(count).reduce(0) { $0 << 8 | UInt64($1) } }

        /// What is not null, by position. Most of a large array is.
        mutating func references() throws -> [(name: String, target: UInt64)] {
            var (found, position) = ([(name: String, target: UInt64)](), 0)
            while let next = rest.withUnsafeBytes({ bytes in bytes.firstIndex { $0 != 0 } }) {
                _ = try take(next / 8 * 8)
                position += next / 8
                found.append(("\(position)", try number(8)))
                position += 1
            }
            return found
        }
    }
}
