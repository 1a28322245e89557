/// What keeps an object alive: a root and the references from it.
public struct HeldBy: Codable, Hashable, Sendable {
    /// Where a way to an object begins.
    public struct Root: Codable, Hashable, Sendable {
        public enum Kind: String, Codable, Sendable, CaseIterable {
            case global, stack, register
            case threadLocal = "thread-local"
            /// The dynamic linker.
            case runtime
            /// Memory that the program or a library mapped for itself.
            case mapped
            /// What an epoll set or a timer of the kernel hands back.
            case kernel
        }

        public var kind: Kind
        /// As a person reads it: `Cache.shared`, `a local variable in Game.run()`.
        public var name: String
        /// Of a stack, a register or thread-local storage: the thread's name or number.
        public var thread: String?
        /// The function whose variable it is, for a stack.
        public var function: String?
        public var file: String?
        public var line: Int?
        /// File name of the image that has the variable, for a global.
        public var image: String?
    }

    public var root: Root
    /// From the root on: the first reference's `from` is the root's name, all other ends are types with module.
    public var references: [Reference]
    /// Blocks in the middle of a very deep path that `references` does not show; absent: none.
    public var omitted: Int?
    /// How many living objects of the type are held by objects of the same types.
    public var instances: Int = 1
    /// Requested bytes of those objects alone.
    public var bytes: UInt64 = 0
}

/// Living objects of which it was asked why they live.
public struct LiveObjects: Codable, Hashable, Sendable {
    /// What was asked: a pattern for types, or what the program called the object.
    public var asked: String
    /// With module; absent when nothing living answers to what was asked.
    public var type: String?
    public var instances: Int
    /// Requested bytes of the objects alone.
    public var bytes: UInt64
    /// One sentence.
    public var message: String
    /// The ways in which they are held, the most frequent first; at most ten.
    public var ways: [HeldBy] = []

    public init(asked: String, type: String? = nil, instances: Int = 0, bytes: UInt64 = 0, message: String = "") {
        self.asked = asked
        self.type = type
        self.instances = instances
        self.bytes = bytes
        self.message = message
    }
}
