import SourceModel
import StaticFindingModel

/// Looks for one shape of suspect. A file each; a rule answers the questions that concern it.
protocol Rule: Sendable {
    /// What reports and suppressions call it.
    static var name: String { get }
    /// What it looks for, in a line.
    static var summary: String { get }

    init()

    /// A function with what the walk through it found.
    func look(at flows: FunctionFlows, of place: FunctionPlace, _ look: Look)
    /// A type with everything that the module says of it.
    func look(at type: TypeInfo, _ look: Look)
    /// The body of a function.
    func look(at place: FunctionPlace, _ look: Look)
}

extension Rule {
    func look(at flows: FunctionFlows, of place: FunctionPlace, _ look: Look) {}
    func look(at type: TypeInfo, _ look: Look) {}
    func look(at place: FunctionPlace, _ look: Look) {}

    var name: String { Self.name }
}

/// Every rule.
public enum Rules {
    static let all: [any Rule.Type] = [
        StoredClosure.self, StoredMethod.self, NestedCapture.self, EndlessTask.self, TimerRule.self,
        NotificationRule.self, DispatchSourceRule.self, Subscription.self, Observation.self,
        StrongDelegate.self, BackReference.self, PayloadReference.self, MutualReference.self, ObjectCycle.self,
        UnownedOutlived.self, UnmanagedBalance.self, ReuseMiss.self, TemporaryPeak.self, UnwarnedCache.self,
    ]

    /// Names and summaries.
    public static var list: [(name: String, summary: String)] { all.map { ($0.name, $0.summary) } }
}
