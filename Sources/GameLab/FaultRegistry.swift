/// Every fault that can be committed.
enum FaultRegistry {
    static let all: [any Fault.Type] = [
        MallocLeak.self, AttributeLeak.self, RetainCycle.self, Zombie.self, AttributeZombie.self, ComputeSum.self,
        DialogCycle.self, UndoCycle.self, ObserverCycle.self, ObserverGrowth.self, CardCaching.self, TreeCycle.self,
        TimerCycle.self, DelegateCycle.self, SensorCycle.self, TemporaryPeak.self, ReuseMiss.self,
        IgnoredMemoryWarning.self, DescriptorLeak.self,
    ]

    static func fault(named name: String) -> (any Fault.Type)? {
        all.first { $0.name == name }
    }

    /// The names as a sentence lists them.
    static var nameList: String { all.map { $0.name }.joined(separator: ", ") }

    static var longestNameCount: Int { all.map { $0.name.count }.max() ?? 0 }
}
