/// The objects of the types whose objects are listed. Of very many those that lived longest: memory is bounded.
public struct ObjectList: Sendable {
    /// Objects that are kept.
    public static let limit = 10_000

    /// All of them, and those that lived when recording ended.
    public private(set) var total: UInt64 = 0
    public private(set) var living: UInt64 = 0
    private let limit: Int
    private var kept: [ListedObjectRecord] = []

    public init() { self.init(limit: Self.limit) }

    init(limit: Int) { self.limit = limit }

    /// Cost: a comparison or so for each, on average.
    mutating func add(_ object: ListedObjectRecord) {
        total &+= 1
        if object.died == 0 { living &+= 1 }
        kept.append(object)
        if kept.count >= 2 * limit { kept = rows }
    }

    /// The longest-lived first; of two the older one.
    public var rows: [ListedObjectRecord] {
        Array(
            kept.sorted {
                ($1.lifetime, $0.born, $0.address) < ($0.lifetime, $1.born, $1.address)
            }.prefix(limit))
    }
}
