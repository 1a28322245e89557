import Testing

/// Every way to lose an object is found and named as it stands in the source; every way to be alive is left in peace.
@Suite struct ShapeTests {
    /// What the optimiser lays out in the same way.
    static let laidOut = ShapeCase.fields + ShapeCase.enums + ShapeCase.existentials + ShapeCase.collections

    /// What it may move, split or keep in registers.
    static let optimised =
        ShapeCase.closures + ShapeCase.concurrency + ShapeCase.scheduled + ShapeCase.rawMemory + ShapeCase.modern

    @Test(arguments: laidOut + optimised)
    func `a lost shape is found and named`(_ shape: ShapeCase) throws { try ShapeCheck.run(shape, in: .optimised) }

    @Test(arguments: optimised)
    func `a lost shape is found without the optimiser`(_ shape: ShapeCase) throws {
        try ShapeCheck.run(shape, in: .onone)
    }

    @Test(arguments: ShapeCase.trueNegatives, SwiftProgram.Build.usual)
    func `what is alive is left in peace`(_ shape: ShapeCase, in build: SwiftProgram.Build) throws {
        try ShapeCheck.run(shape, in: build)
    }

    @Test(arguments: ShapeCase.fields + ShapeCase.closures)
    func `a lost shape is found with the standard library inside, and no symbols`(_ shape: ShapeCase) throws {
        try ShapeCheck.run(shape, in: .strippedStatic)
    }

    @Test(arguments: [SwiftProgram.Build.staticOptimised, .strippedStatic])
    func `a wide walk through a static Foundation loses nothing`(_ build: SwiftProgram.Build) throws {
        try ShapeCheck.run(ShapeCase(.foundationTypes, "everything", .silence), in: build)
    }

    @Test(arguments: KnownGap.all, SwiftProgram.Build.usual)
    func `a known gap hides something but says nothing wrong`(_ gap: KnownGap, in build: SwiftProgram.Build) throws {
        try ShapeCheck.run(gap.shape, in: build, mayMiss: gap.mayMiss)
    }
}

/// The builds that `ShapeTests` leaves out.
@Suite(.enabled(if: LongTests.field)) struct ShapeFieldTests {
    @Test(arguments: ShapeTests.laidOut)
    func `a lost shape is found without the optimiser`(_ shape: ShapeCase) throws {
        try ShapeCheck.run(shape, in: .onone)
    }

    @Test(arguments: ShapeCase.fields + ShapeCase.closures)
    func `a lost shape is found with the standard library inside`(_ shape: ShapeCase) throws {
        try ShapeCheck.run(shape, in: .staticOptimised)
    }
}
