import GameprofBasics
import GameprofTrace

/// How each block's dominator refers to it.
struct HolderFields {
    private static let none: Int32 = -1

    private let labels: [UInt16]
    /// By label: position in `texts`, or `none`.
    private let numbers: [Int32]
    private var texts: [String] = []

    init(_ ownership: HeapOwnership) {
        labels = ownership.labels
        numbers = Self.fields(of: ownership.heap.labels, &texts)
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

    /// `none` where its dominator does not refer to it, since several of what that holds do.
    func number(of block: UInt32) -> Int32 {
        let label = labels[Int(block)]
        return label == HeapOwnership.unnamed ? Self.none : numbers[Int(label)]
    }

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
