/// The stacks and frames of one report's JSON, each written once. A stack of version 2 is a number: its place here.
/// One coder uses it, on one thread.
package final class StackTable: Codable, @unchecked Sendable {
    /// Indices into `stackFrames`, innermost first.
    package private(set) var stacks: [[Int]] = []
    package private(set) var stackFrames: [CallStack.Frame] = []
    private var places: [[Int]: Int] = [:]
    private var framePlaces: [CallStack.Frame: Int] = [:]

    private enum CodingKeys: CodingKey { case stacks, stackFrames }

    package init() {}

    /// Under this key of `userInfo` the coder of a report carries its table. Without one a stack is written in full, as in version 1.
    package static let key = CodingUserInfoKey(rawValue: "StackTable")!

    func place(of frames: [CallStack.Frame]) -> Int {
        let stack = frames.map { frame in
            let place = framePlaces[frame, default: stackFrames.count]
            if place == stackFrames.count {
                framePlaces[frame] = place
                stackFrames.append(frame)
            }
            return place
        }
        let place = places[stack, default: stacks.count]
        if place == stacks.count {
            places[stack] = place
            stacks.append(stack)
        }
        return place
    }

    /// Nil where the table has no such stack, or the stack no such frame.
    func frames(at place: Int) -> [CallStack.Frame]? {
        guard stacks.indices.contains(place), stacks[place].allSatisfy(stackFrames.indices.contains) else { return nil }
        return stacks[place].map { stackFrames[$0] }
    }
}

extension CallStack {
    private enum CodingKeys: CodingKey { case thread, frames, stack, truncated }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(thread, forKey: .thread)
        if let table = encoder.userInfo[StackTable.key] as? StackTable {
            try container.encode(table.place(of: frames), forKey: .stack)
        } else {
            try container.encode(frames, forKey: .frames)
        }
        try container.encode(truncated, forKey: .truncated)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        thread = try container.decodeIfPresent(String.self, forKey: .thread)
        truncated = try container.decode(Bool.self, forKey: .truncated)
        guard let table = decoder.userInfo[StackTable.key] as? StackTable else {
            frames = try container.decode([Frame].self, forKey: .frames)
            return
        }
        guard let frames = table.frames(at: try container.decode(Int.self, forKey: .stack)) else {
            throw DecodingError.dataCorruptedError(forKey: .stack, in: container, debugDescription: "no such stack")
        }
        self.frames = frames
    }
}
