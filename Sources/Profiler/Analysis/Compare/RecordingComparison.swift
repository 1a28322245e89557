import GameprofTrace

extension ComparisonReport {
    /// Compares two recordings by what both have. `limit`: rows of each list.
    package init(
        before: (Recording, any Symbolicating), after: (Recording, any Symbolicating),
        keepsRuntimeFrames: Bool = false, limit: Int = 200
    ) {
        let recordings = [before.0, after.0]
        let profiles = [before, after].map {
            ProfileBuilder.build($0.0, symbolicator: $0.1, keepsRuntimeFrames: keepsRuntimeFrames)
        }
        self.init(
            before: profiles[0].title, after: profiles[1].title,
            types: Array(TypeComparison(before: before.0, after: after.0).rows.prefix(limit)))
        if recordings.allSatisfy({ !$0.samples.entries.isEmpty }) {
            time = Weights(before: profiles[0], after: profiles[1], limit: limit)
        }
        if recordings.allSatisfy({ !$0.allocations.byStack.isEmpty }) {
            let allocated = [before, after].map {
                Profile(allocationsOf: $0.0, symbolicator: $0.1, keepsRuntimeFrames: keepsRuntimeFrames)
            }
            memory = Weights(before: allocated[0], after: allocated[1], limit: limit)
        }
        frames = Self.frames(before: before.0.probes, after: after.0.probes)
        probes = Self.probes(before: before.0.probes, after: after.0.probes)
        figures = Self.figures(before: before.0, after: after.0, time: time)
    }
}

extension ComparisonReport.Weights {
    /// `limit`: rows of each list.
    init(before: Profile, after: Profile, limit: Int) {
        let comparison = ProfileComparison(before: before, after: after)
        let noise = SampleNoise(before, after)
        let functions = comparison.functions.prefix(limit).map { function in
            var function = function
            function.isNoise = noise.explains(function.own)
            return function
        }
        self.init(
            unit: comparison.unit, total: comparison.total, functions: functions,
            stacks: Array(comparison.stacks.prefix(limit)),
            tree: ComparisonReport.Tree(before: before, after: after))
    }
}
