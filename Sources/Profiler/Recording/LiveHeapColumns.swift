import GameprofBasics
import GameprofTraceFile

/// Numbers of 64 bits whose upper halves seldom change from one to the next: four bytes each, and 16 for each change. Reading one
/// is O(log changes).
public struct WideColumn: RandomAccessCollection, Sendable {
    @usableFromInline struct Change: Sendable {
        /// The position from which on it holds.
        @usableFromInline var start: Int
        @usableFromInline var upper: UInt64
    }

    @usableFromInline var lower: [UInt32]
    /// In ascending order of their starts; the first one has start 0.
    @usableFromInline var changes = [Change(start: 0, upper: 0)]

    init(room: Int = 0) { lower = Array(room: room) }

    public var startIndex: Int { 0 }

    @inlinable public var endIndex: Int { lower.count }

    @inlinable public subscript(position: Int) -> UInt64 {
        (changes.count == 1 ? changes[0].upper : upper(at: position)) | UInt64(lower[position])
    }

    @usableFromInline func upper(at position: Int) -> UInt64 {
        changes[partition(0..<changes.count) { changes[$0].start > position } - 1].upper
    }

    mutating func append(_ number: UInt64) {
        let upper = number & ~UInt64(UInt32.max)
        if upper != changes[changes.count - 1].upper { changes.append(Change(start: lower.count, upper: upper)) }
        lower.append(UInt32(truncatingIfNeeded: number))
    }
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
