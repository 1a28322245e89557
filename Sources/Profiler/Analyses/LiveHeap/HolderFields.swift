import GameprofBasics
import GameprofRecording
import GameprofTraceFile

/// How each block's owner refers to it: the first step of the way down to it, past buffers. One pass over the references,
/// since a collection may have millions.
struct HolderFields {
    private static let none: Int32 = -1

    /// By block: position in `texts`, or `none` where its dominator does not refer to it, since several of what it holds do.
    private var numbers: [Int32]
    private var texts: [String] = []

    /// - Parameter owner: by block, the object or collection whose row it stands below.
    init(_ ownership: HeapOwnership, owner: [UInt32]) {
        let (heap, tree) = (ownership.heap, ownership.tree)
        let fieldOfLabel = Self.fields(of: heap.labels, &texts)
        numbers = ownership.labels.map { $0 == HeapOwnership.unnamed ? Self.none : fieldOfLabel[Int($0)] }
        for node in tree.preorder.dropFirst() {
            let above = tree.parent[Int(node)]
            if owner[Int(node)] != above { numbers[Int(node)] = numbers[Int(above)] }
        }
    }

    private static func fields(of labels: [HeapLabelRecord], _ texts: inout [String]) -> [Int32] {
        var known: [String: Int32] = [:]
        return labels.map { label in
            guard !label.path.isEmpty else { return none }
            let text = FieldName.clean(label.path)
            if let number = known[text] { return number }
            known[text] = Int32(texts.count)
            texts.append(text)
            return Int32(texts.count - 1)
        }
    }

    func number(of block: UInt32) -> Int32 { numbers[Int(block)] }

    func text(_ number: Int32) -> String? { number < 0 ? nil : texts[Int(number)] }
}

/// Sums by key, where few keys have most of the additions.
struct SumsByKey {
    private static let slots = 1_024
    private var keys = [UInt64](repeating: .max, count: slots)
    private var sums = [UInt64](repeating: 0, count: slots)
    private var rest: [UInt64: UInt64] = [:]

    mutating func add(_ value: UInt64, to key: UInt64) {
        let slot = Int(truncatingIfNeeded: (key &* 0x9e37_79b9_7f4a_7c15) >> 54)
        if keys[slot] != key {
            if keys[slot] != .max { rest[keys[slot], default: 0] &+= sums[slot] }
            (keys[slot], sums[slot]) = (key, 0)
        }
        sums[slot] &+= value
    }

    func all() -> [UInt64: UInt64] {
        var result = rest
        for (key, sum) in zip(keys, sums) where key != .max { result[key, default: 0] &+= sum }
        return result
    }
}
