/// What changed between two profiles, function by function and stack by stack. Names decide which functions are the
/// same, and inlined functions count like others, so that a compiler that inlines otherwise makes no difference.
public struct ProfileComparison: Sendable {
    /// Weight of something in the profile before and in the one after: nanoseconds or bytes.
    public struct Change: Codable, Hashable, Sendable {
        public var before: UInt64
        public var after: UInt64

        public init(before: UInt64 = 0, after: UInt64 = 0) {
            self.before = before
            self.after = after
        }

        /// Positive: it grew.
        public var difference: Int64 { Int64(clamping: after) - Int64(clamping: before) }
    }

    /// A function of either profile.
    public struct Function: Codable, Hashable, Sendable {
        public var name: String
        public var module: String
        /// In the function itself.
        public var own: Change
        /// In it and all that it called; a recursion counts once.
        public var total: Change
    }

    /// A stack of either profile.
    public struct Stack: Codable, Hashable, Sendable {
        /// Names of its functions, innermost first; a function that calls itself directly stands once.
        public var functions: [String]
        public var weight: Change
    }

    public var unit: Profile.Unit
    public var total: Change
    /// Those whose own weight changed most first.
    public var functions: [Function]
    /// Those that changed most first.
    public var stacks: [Stack]

    /// Compares. Linear in the nodes and samples of both.
    public init(before: Profile, after: Profile) {
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
                    rows[name]
                    ?? Function(name: function.name, module: function.module, own: Change(), total: Change())
                row.own[keyPath: side] &+= totals.functions[index].own
                row.total[keyPath: side] &+= totals.functions[index].total
                rows[name] = row
            }
        }
        add(before, totalsBefore, \.before)
        add(after, totalsAfter, \.after)
        return rows.values.filter { $0.total != Change() }.sorted { left, right in
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
                weights[sample.node, default: 0] &+= sample.weight
            }
            for (node, weight) in weights {
                var names: [String] = []
                for next in profile.path(from: node) {
                    guard let name = profile.function(of: next)?.name, name != names.last else { continue }
                    names.append(name)
                }
                rows[names, default: Change()][keyPath: side] &+= weight
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
