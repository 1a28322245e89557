import GameprofBasics
import GameprofTrace

/// What changed between two profiles, function by function and stack by stack. Names decide which functions are the
/// same, and inlined functions count like others, so that a compiler that inlines otherwise makes no difference.
package struct ProfileComparison: Sendable {
    private typealias Change = ComparisonReport.Change
    private typealias Function = ComparisonReport.Function
    private typealias Stack = ComparisonReport.Stack

    package var unit: Profile.Unit
    package var total: ComparisonReport.Change
    /// Those whose own weight changed most first.
    package var functions: [ComparisonReport.Function]
    /// Those that changed most first.
    package var stacks: [ComparisonReport.Stack]

    /// Compares. Linear in the nodes and samples of both.
    package init(before: Profile, after: Profile) {
        unit = after.unit
        let (totalsBefore, totalsAfter) = (FunctionTotals(before), FunctionTotals(after))
        total = Change(before: totalsBefore.total, after: totalsAfter.total)
        functions = Self.functions(before, totalsBefore, after, totalsAfter)
        stacks = Self.stacks(before, after)
    }

    private static func functions(
        _ before: Profile, _ totalsBefore: FunctionTotals, _ after: Profile, _ totalsAfter: FunctionTotals
    ) -> [Function] {
        var rows: [ComparedName: Function] = [:]
        func add(_ profile: Profile, _ totals: FunctionTotals, _ side: WritableKeyPath<Change, UInt64>) {
            for (index, function) in profile.functions.enumerated() {
                let name = ComparedName(function, in: profile)
                var row =
                    rows[name] ?? Function(name: function.name, module: function.module)
                row.own[keyPath: side].add(clamping: totals.functions[index].own)
                row.total[keyPath: side].add(clamping: totals.functions[index].total)
                rows[name] = row
            }
        }
        add(before, totalsBefore, \.before)
        add(after, totalsAfter, \.after)
        return rows.values.filter { $0.own.difference != 0 || $0.total.difference != 0 }.sorted { left, right in
            let (first, second) = (left.own.difference.magnitude, right.own.difference.magnitude)
            if first != second { return first > second }
            let (third, fourth) = (left.total.difference.magnitude, right.total.difference.magnitude)
            return third != fourth ? third > fourth : (left.name, left.module) < (right.name, right.module)
        }
    }

    private static func stacks(_ before: Profile, _ after: Profile) -> [Stack] {
        var rows: [[String]: Change] = [:]
        func add(_ profile: Profile, _ side: WritableKeyPath<Change, UInt64>) {
            var weights: [Profile.NodeID: UInt64] = [:]
            for sample in profile.samples where sample.kind == .computing {
                weights[sample.node, default: 0].add(clamping: sample.weight)
            }
            for (node, weight) in weights {
                var names: [String] = []
                for next in profile.path(from: node) {
                    guard let name = profile.function(of: next)?.name, name != names.last else { continue }
                    names.append(name)
                }
                rows[names, default: Change()][keyPath: side].add(clamping: weight)
            }
        }
        add(before, \.before)
        add(after, \.after)
        return rows.map { Stack(functions: $0.key, weight: $0.value) }.filter { $0.weight.difference != 0 }.sorted {
            let (first, second) = ($0.weight.difference.magnitude, $1.weight.difference.magnitude)
            return first != second ? first > second : $0.functions.lexicographicallyPrecedes($1.functions)
        }
    }
}
