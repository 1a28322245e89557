import GameprofBasics
import GameprofTrace

/// How the blocks of a heap are called: by their type, or by what they are. Equal names have equal numbers.
struct LiveHeapNames {
    /// What a block is.
    enum Kind: Sendable {
        /// An object of a class of the program's, or of a library's.
        case user, library
        /// Of a collection or a string.
        case storage
        /// A closure context, a captured variable or another box.
        case context
        case task
        /// Memory without a type.
        case raw

        /// It belongs to what holds it.
        var isBuffer: Bool { self == .storage || self == .context || self == .raw }
    }

    private let types: TypeColumn
    private let columns: (narrow: [UInt16], wide: [UInt32])
    /// By number of a type.
    private var numbers: [Int32]
    private var texts: [String] = []
    /// By number.
    private var kinds: [Kind] = []

    init(_ heap: LiveHeap, types: TypeTable) {
        (self.types, columns) = (heap.types, heap.types.columns)
        var byText: [String: Int32] = [:]
        numbers = [Int32](repeating: -1, count: types.highestIndex + 1)
        for type in heap.types where numbers[place(of: type)] < 0 {
            let place = place(of: type)
            let (text, kind) = Self.name(place == 0 ? nil : types.record(type))
            let number = byText[text] ?? Int32(texts.count)
            if Int(number) == texts.count {
                texts.append(text)
                kinds.append(kind)
                byText[text] = number
            }
            numbers[place] = number
        }
    }

    /// A number above all types' names none.
    @inline(__always)
    private func place(of type: TypeID) -> Int { type.index < numbers.count ? type.index : 0 }

    private static func name(_ type: TypeNameRecord?) -> (String, Kind) {
        guard let type else { return (ObjectNoun.memory.rawValue, .raw) }
        switch type.kind {
        case .local, .genericBox, .error: return (ObjectNoun.closureContext.rawValue, .context)
        case .task, .job: return (ObjectNoun.task.rawValue, .task)
        case .classInstance:
            let text = type.name.isEmpty ? ObjectNoun.object.rawValue : type.name
            if TypeName.isUsers(type.name) { return (text, .user) }
            return (text, type.name.hasPrefix("Swift.") ? .storage : .library)
        }
    }

    /// How many different names there are.
    var count: Int { texts.count }

    @inline(__always)
    func fetch(_ block: UInt32) {
        if columns.wide.isEmpty {
            columns.narrow.withUnsafeBufferPointer { $0.fetch(Int(block)) }
        } else {
            columns.wide.withUnsafeBufferPointer { $0.fetch(Int(block)) }
        }
    }

    func number(_ block: UInt32) -> Int32 { numbers[place(of: types[Int(block)])] }

    func text(_ number: Int32) -> String { texts[Int(number)] }

    func kind(_ block: UInt32) -> Kind { kinds[Int(number(block))] }

    func isBuffer(_ block: UInt32) -> Bool { kind(block).isBuffer }
}
