import Testing

@testable import GameLab

@Suite struct FaultRegistryTests {
    @Test func hasEveryFault() {
        #expect(
            FaultRegistry.all.map { $0.name } == [
                "malloc-leak", "attribute-leak", "retain-cycle", "zombie", "attribute-zombie", "compute-sum",
                "dialog-cycle", "undo-cycle", "observer-cycle", "observer-growth", "card-cache", "tree-cycle",
                "timer-cycle", "delegate-cycle", "sensor-cycle", "temporary-peak", "reuse-miss",
                "memory-warning", "descriptor-leak",
            ])
    }

    @Test func findsAFaultByItsName() {
        for fault in FaultRegistry.all {
            #expect(FaultRegistry.fault(named: fault.name) == fault)
        }
        #expect(FaultRegistry.fault(named: "Zombie") == nil)
    }

    @Test func explainsEachFaultInALine() {
        for fault in FaultRegistry.all {
            #expect(fault.summary.hasSuffix("."))
            #expect(!fault.summary.contains("\n"))
        }
    }

    @Test func allowsTheDefaultNumberOfPresses() {
        for fault in FaultRegistry.all {
            #expect((1...fault.pressLimit).contains(fault.defaultPresses))
        }
    }
}
