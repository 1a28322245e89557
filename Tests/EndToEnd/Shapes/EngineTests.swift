import Testing

/// The search for leaks in the recorded process and the one that reads it from outside say the same of the same memory.
@Suite struct EngineTests {
    private static let some: Set = [
        "Fields plain", "Fields bound-parameter", "Collections dictionary-value", "Concurrency task-for-ever",
        "Concurrency waiting-at-actor", "Encoded chain", "Encoded shifted",
        "Modern pool-workers", "Modern mutex", "RawMemory behind-metadata", "Weak side-table",
    ]

    @Test(arguments: EngineFieldTests.all.filter { some.contains($0.description) })
    func `both searches find the same`(_ shape: ShapeCase) throws { try EngineCheck.run(shape, in: .optimised) }
}

/// The same of every shape: `make field-test`.
@Suite(.enabled(if: LongTests.field)) struct EngineFieldTests {
    static let all = ShapeTests.laidOut + ShapeTests.optimised + ShapeCase.trueNegatives

    @Test(arguments: all, SwiftProgram.Build.usual)
    func `both searches find the same in every shape`(_ shape: ShapeCase, in build: SwiftProgram.Build) throws {
        try EngineCheck.run(shape, in: build)
    }
}
