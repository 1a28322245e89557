import GameprofBasics

/// Addresses in ascending order, by position: a byte for each that lies at most 4 KiB behind the one before, and 13 for others.
/// Reading one adds up 63 distances at most.
public struct AddressColumn: RandomAccessCollection, Sendable {
    private static let part = 64

    /// By position, in 16 bytes, from the address before; 0: it stands in `others`, or begins a part.
    private var distances: [UInt8]
    /// By part: its first address.
    private var starts: [UInt64] = []
    private var others = SparseNumbers<UInt64>()
    private var last: UInt64 = 0

    init(room: Int = 0) { distances = Array(room: room) }

    public var startIndex: Int { 0 }

    public var endIndex: Int { distances.count }

    public subscript(position: Int) -> UInt64 {
        let start = position & ~(Self.part - 1)
        var address = starts[start / Self.part]
        for place in start + 1..<Swift.max(position, start) + 1 {
            let distance = distances[place]
            address = distance == 0 ? others[place] : address &+ 16 &* UInt64(distance)
        }
        return address
    }

    mutating func append(_ address: UInt64) {
        let distance = address &- last
        last = address
        if distances.count % Self.part == 0 {
            starts.append(address)
            distances.append(0)
        } else if distance > 0, distance % 16 == 0, let near = UInt8(exactly: distance / 16) {
            distances.append(near)
        } else {
            others.append(address, at: distances.count)
            distances.append(0)
        }
    }
}

/// Numbers by position that are mostly small: the others stand elsewhere, and are found in O(log others).
public struct SmallColumn<
    Small: FixedWidthInteger & UnsignedInteger & Sendable, Number: FixedWidthInteger & UnsignedInteger & Sendable
>: RandomAccessCollection, Sendable {
    /// By position; the greatest: it stands in `others`.
    @usableFromInline var numbers: [Small]
    @usableFromInline var others = SparseNumbers<Number>()

    package init(room: Int = 0) { numbers = Array(room: room) }

    public var startIndex: Int { 0 }

    @inlinable public var endIndex: Int { numbers.count }

    @inlinable public subscript(position: Int) -> Number {
        numbers[position] == .max ? others[position] : Number(truncatingIfNeeded: numbers[position])
    }

    package mutating func append(_ number: Number) {
        if number >= Number(Small.max) { others.append(number, at: numbers.count) }
        numbers.append(Small(clamping: number))
    }
}

/// Numbers of some positions, in ascending order.
@usableFromInline struct SparseNumbers<Number: Sendable>: Sendable {
    private var positions: [UInt32] = []
    private var numbers: [Number] = []

    var count: Int { numbers.count }

    @usableFromInline subscript(position: Int) -> Number {
        numbers[partition(0..<positions.count) { positions[$0] >= position }]
    }

    mutating func append(_ number: Number, at position: Int) {
        positions.append(UInt32(position))
        numbers.append(number)
    }
}

/// Numbers by position, in as few bytes as the greatest needs.
@usableFromInline
struct NarrowColumn<
    Narrow: FixedWidthInteger & UnsignedInteger & Sendable, Wide: FixedWidthInteger & UnsignedInteger & Sendable
>: Sendable {
    /// One of them is empty.
    @usableFromInline var narrow: [Narrow]
    @usableFromInline var wide: [Wide] = []
    private let room: Int

    init(room: Int = 0) { (narrow, self.room) = (Array(room: room), room) }

    @inlinable var count: Int { wide.isEmpty ? narrow.count : wide.count }

    @inlinable subscript(position: Int) -> Wide {
        wide.isEmpty ? Wide(truncatingIfNeeded: narrow[position]) : wide[position]
    }

    /// The numbers, and how many bytes each takes. Empty: they are not visited.
    func withBytes(_ body: (UnsafeRawPointer, Int) -> Void) {
        func visit<Element>(_ elements: [Element]) {
            elements.withUnsafeBytes { if let start = $0.baseAddress { body(start, MemoryLayout<Element>.size) } }
        }
        if wide.isEmpty { visit(narrow) } else { visit(wide) }
    }

    mutating func append(_ number: Wide) {
        if wide.isEmpty {
            if let number = Narrow(exactly: number) { return narrow.append(number) }
            wide = Array(room: Swift.max(room, narrow.count + 1))
            wide.append(contentsOf: narrow.lazy.map { Wide(truncatingIfNeeded: $0) })
            narrow = []
        }
        wide.append(number)
    }

    /// Leaves out those at other positions.
    mutating func keep(_ isKept: (Int) -> Bool) {
        let all = self
        self = NarrowColumn()
        for position in 0..<all.count where isKept(position) { append(all[position]) }
    }
}

/// Types by position.
public struct TypeColumn: RandomAccessCollection, Sendable {
    @usableFromInline var numbers: NarrowColumn<UInt16, UInt32>

    init(room: Int = 0) { numbers = NarrowColumn(room: room) }

    public var startIndex: Int { 0 }

    @inlinable public var endIndex: Int { numbers.count }

    @inlinable public subscript(position: Int) -> TypeID { TypeID(rawValue: numbers[position]) }

    /// Their numbers; one of the two is empty.
    package var columns: (narrow: [UInt16], wide: [UInt32]) { (numbers.narrow, numbers.wide) }

    mutating func append(_ type: TypeID) { numbers.append(type.rawValue) }
}

/// Stacks by position, which take memory from the first one on that is known.
public struct StackColumn: RandomAccessCollection, Sendable {
    @usableFromInline var stacks: [StackID] = []
    public private(set) var endIndex = 0

    public var startIndex: Int { 0 }

    @inlinable public subscript(position: Int) -> StackID { stacks.isEmpty ? .none : stacks[position] }

    mutating func append(_ stack: StackID) {
        if stacks.isEmpty, !stack.isNone { stacks = [StackID](repeating: .none, count: endIndex) }
        if !stacks.isEmpty || !stack.isNone { stacks.append(stack) }
        endIndex += 1
    }
}

/// How references are called and what they keep, by position: a byte each, or two where they are of more than 256 kinds.
@usableFromInline struct ReferenceKinds: Sendable {
    @usableFromInline struct Kind: Sendable {
        @usableFromInline var label: UInt16
        @usableFromInline var ownership: Ownership
    }

    private static let ownerships: [Ownership] = [.strong, .unowned, .weak, .unmanaged, .conservative]

    /// The first are those without a label.
    @usableFromInline var kinds = ownerships.map { Kind(label: 0, ownership: $0) }
    /// By label and ownership: the kind and 1; 0: it is none yet.
    private var known: [UInt32] = (1...8).map { $0 <= ownerships.count ? $0 : 0 }
    @usableFromInline var numbers: NarrowColumn<UInt8, UInt16>

    init(room: Int = 0) { numbers = NarrowColumn(room: room) }

    @inlinable subscript(reference: Int) -> Kind { kinds[Int(numbers[reference])] }

    mutating func append(_ label: UInt32, _ ownership: Ownership) {
        let place = Int(label) << 3 | Int(ownership.rawValue)
        if place < known.count, known[place] > 0 { return numbers.append(UInt16(known[place] - 1)) }
        numbers.append(add(label, ownership, place))
    }

    /// Beyond so many kinds, and labels, a reference goes without its name.
    private mutating func add(_ label: UInt32, _ ownership: Ownership, _ place: Int) -> UInt16 {
        guard label < UInt16.max, kinds.count <= UInt16.max else { return UInt16(ownership.rawValue) }
        if place >= known.count { known += [UInt32](repeating: 0, count: place + 1 - known.count) }
        kinds.append(Kind(label: UInt16(label), ownership: ownership))
        known[place] = UInt32(kinds.count)
        return UInt16(kinds.count - 1)
    }

    /// Whether there are labels from `count` on; their references go without a name then.
    mutating func dropLabels(from count: Int) -> Bool {
        let missing = kinds.indices.filter { Int(kinds[$0].label) >= count }
        for kind in missing { kinds[kind].label = 0 }
        return !missing.isEmpty
    }

    mutating func keep(_ isKept: (Int) -> Bool) { numbers.keep(isKept) }
}
