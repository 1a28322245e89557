extension ShapeCase {
    static let enums: [ShapeCase] = [
        ShapeCase(.enums, "single", .cycle(["SingleOwner.state.part → Part", "Part.owner → SingleOwner"])),
        ShapeCase(.enums, "multi", .cycle(["MultiOwner.state.part → Part", "Part.owner → MultiOwner"])),
        ShapeCase(.enums, "multi-second", .cycle(["MultiOwner.state.owner → MultiOwner"])),
        ShapeCase(.enums, "wide", .cycle(["WideOwner.state.fourth → Part", "Part.owner → WideOwner"])),
        ShapeCase(.enums, "mixed", .cycle(["MixedOwner.state.part → Part", "Part.owner → MixedOwner"])),
        ShapeCase(.enums, "mixed-pair", .cycle(["MixedOwner.state.pair.1 → Part", "Part.owner → MixedOwner"])),
        ShapeCase(
            .enums, "labelled", .cycle(["LabelledOwner.state.loaded.part → Part", "Part.owner → LabelledOwner"])),
        ShapeCase(
            .enums, "indirect-chain",
            .cycle(["ChainOwner.chain.link.1.link.0 → Part", "Part.owner → ChainOwner"])),
        ShapeCase(.enums, "indirect-tree", .cycle(["TreeOwner.tree.node.1 → Part", "Part.owner → TreeOwner"])),
        ShapeCase(
            .enums, "indirect-closure",
            .cycle(["CommandOwner.history[…].batch[…].undo.of.run.1 → CommandOwner"])),
        ShapeCase(.enums, "generic-closure", .cycle(["StepOwner.step.both[…].act.1 → StepOwner"])),
        ShapeCase(.enums, "result", .cycle(["ResultOwner.result.success → Part", "Part.owner → ResultOwner"])),
        ShapeCase(
            .enums, "result-failure",
            .cycle(["ResultTextOwner.result.failure.part → Part", "Part.owner → ResultTextOwner"])),
        ShapeCase(
            .enums, "optional-enum",
            .cycle(["OptionalEnumOwner.state.part → Part", "Part.owner → OptionalEnumOwner"])),
        ShapeCase(
            .enums, "nested-enum",
            .cycle(["NestedEnumOwner.outer.inner.part → Part", "Part.owner → NestedEnumOwner"])),
        ShapeCase(
            .enums, "generic-enum",
            .cycle(["GenericEnumOwner.state.full → Part", "Part.owner → GenericEnumOwner"])),
        ShapeCase(
            .enums, "generic-enum-both",
            .cycle(["GenericEnumOwner.state.both.1 → Part", "Part.owner → GenericEnumOwner"])),
        ShapeCase(.enums, "closure-enum", .cycle(["ClosureEnumOwner.state.handler → ClosureEnumOwner"])),
        ShapeCase(.enums, "either", .cycle(["EitherOwner.either.left → Part", "Part.owner → EitherOwner"])),
    ]
}
