/// The stacks of a recording: a tree of return addresses in which common callers are stored once. 13 bytes a node.
public struct FrameTree: Sendable {
    private var addresses: [UInt64] = [0]
    private var parents: [UInt32] = [0]
    private var flags: [UInt8] = [0]

    private static let exact: UInt8 = 1
    private static let truncated: UInt8 = 2
    private static let known: UInt8 = 4

    /// The highest number that a frame may have.
    public let highestID: UInt32

    /// - Parameter highestID: bounds the memory that a damaged trace can ask for.
    public init(highestID: UInt32 = 1 << 24) { self.highestID = highestID }

    /// Adds a node. A node whose number is zero or absurdly high is refused (false).
    @discardableResult
    public mutating func add(_ frame: FrameRecord) -> Bool {
        let id = frame.id.index
        guard id > 0, frame.id.rawValue <= highestID else { return false }
        if id >= addresses.count {
            grow(to: id + 1)
        }
        addresses[id] = frame.pc
        parents[id] = frame.parent.rawValue
        flags[id] = Self.known | (frame.isExact ? Self.exact : 0) | (frame.isTruncated ? Self.truncated : 0)
        return true
    }

    /// Element by element: appending a collection allocates for each in a debug build, in which tests read traces.
    private mutating func grow(to count: Int) {
        while addresses.count < count {
            addresses.append(0)
            parents.append(0)
            flags.append(0)
        }
    }

    /// Number of nodes, "none" included.
    public var count: Int { addresses.count }

    /// The node with this number, nil when the trace does not hold it. O(1).
    public func frame(_ id: FrameID) -> FrameRecord? {
        guard id.index > 0, id.index < addresses.count, flags[id.index] & Self.known != 0 else { return nil }
        return FrameRecord(
            id: id, parent: FrameID(parents[id.index]), pc: addresses[id.index],
            isExact: flags[id.index] & Self.exact != 0, isTruncated: flags[id.index] & Self.truncated != 0)
    }

    /// The nodes of a stack, innermost first; at most `limit`, which also ends a cycle in a damaged trace.
    public func frames(of stack: StackID, limit: Int = 1024) -> [FrameRecord] {
        var result: [FrameRecord] = []
        var next = stack.innermostFrame
        while result.count < limit, let frame = frame(next) {
            result.append(frame)
            next = frame.parent
        }
        return result
    }
}
