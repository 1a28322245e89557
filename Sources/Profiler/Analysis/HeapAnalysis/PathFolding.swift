/// Draws a long cycle short: what repeats is written once.
enum PathFolding {
    /// A cycle of steps with its repetitions folded: a ring of a thousand equal steps becomes one step. The result
    /// is still a cycle, and is the same for rings of different lengths.
    static func fold(_ cycle: [PathStep]) -> [PathStep] {
        guard cycle.count > 1 else { return cycle }
        let shapes = cycle.map(\.shape)
        let period = period(of: shapes)
        var folded = Array(cycle.prefix(period))
        for index in folded.indices { folded[index].repeats = cycle.count / period }
        return runs(folded)
    }

    /// A way with steps that follow each other and are equal written once: the way down a list.
    static func runs(ofPath path: [PathStep]) -> [PathStep] {
        var result: [PathStep] = []
        for step in path {
            if let last = result.last, last.shape == step.shape {
                result[result.count - 1].repeats += step.repeats
            } else {
                result.append(step)
            }
        }
        return result
    }

    /// Positions in `elements` where the smallest rotation begins.
    static func canonicalRotation(_ elements: [String]) -> Int {
        // Booth's algorithm in its two-pointer form.
        let count = elements.count
        var (a, b, matched) = (0, 1, 0)
        while a < count, b < count, matched < count {
            let left = elements[(a + matched) % count]
            let right = elements[(b + matched) % count]
            if left == right {
                matched += 1
                continue
            }
            if left > right { a += matched + 1 } else { b += matched + 1 }
            if a == b { b += 1 }
            matched = 0
        }
        return min(a, b)
    }

    /// The shortest length after which a cyclic sequence repeats, by the prefix function.
    private static func period(of shapes: [String]) -> Int {
        var border = [Int](repeating: 0, count: shapes.count)
        for index in 1..<shapes.count {
            var length = border[index - 1]
            while length > 0, shapes[index] != shapes[length] { length = border[length - 1] }
            border[index] = shapes[index] == shapes[length] ? length + 1 : 0
        }
        let period = shapes.count - border[shapes.count - 1]
        return shapes.count.isMultiple(of: period) ? period : shapes.count
    }

    /// Folds steps that follow each other and are equal, across the seam of the cycle too.
    private static func runs(_ cycle: [PathStep]) -> [PathStep] {
        guard cycle.count > 1 else { return cycle }
        var result = runs(ofPath: cycle)
        if result.count > 1, let first = result.first, let last = result.last, first.shape == last.shape {
            result[result.count - 1].repeats += first.repeats
            result.removeFirst()
        }
        return result
    }
}
