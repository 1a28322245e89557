extension ShapeCase {
    static let closures: [ShapeCase] = [
        ShapeCase(.closures, "property", .cycle(["PropertyOwner.handler → PropertyOwner"])),
        ShapeCase(.closures, "optional", .cycle(["OptionalOwner.handler → OptionalOwner"])),
        ShapeCase(.closures, "in-array", .cycle(["ArrayOwner.handlers[…] → ArrayOwner"])),
        ShapeCase(.closures, "in-dictionary", .cycle(["DictionaryOwner.handlers[…] → DictionaryOwner"])),
        ShapeCase(.closures, "nested", .cycle(["NestedOwner.handler → NestedOwner"])),
        ShapeCase(.closures, "closure-in-closure", .cycle(["ClosureInClosureOwner.handler → ClosureInClosureOwner"])),
        ShapeCase(.closures, "method", .cycle(["MethodOwner.handler → MethodOwner"])),
        ShapeCase(.closures, "variable", .cycle(["VariableOwner.handler → VariableOwner"])),
        ShapeCase(
            .closures, "captured-part",
            .cycle(["PartCaptureOwner.handler → Part", "Part.owner → PartCaptureOwner"])),
        ShapeCase(
            .closures, "captured-struct",
            .cycle(["StructCaptureOwner.handler → Part", "Part.owner → StructCaptureOwner"])),
        ShapeCase(
            .closures, "captured-existential",
            .cycle(["ExistentialCaptureOwner.handler → Part", "Part.owner → ExistentialCaptureOwner"])),
        ShapeCase(
            .closures, "captured-generic",
            .cycle(["GenericCaptureOwner.handler → Part", "Part.owner → GenericCaptureOwner"])),
        ShapeCase(.closures, "lazy", .cycle(["LazyClosureOwner.describe → LazyClosureOwner"])),
        ShapeCase(.closures, "key-path", .cycle(["KeyPathOwner.get → KeyPathOwner"])),
        ShapeCase(.closures, "dialog", .cycle(["DialogOwner.dialog → Dialog", "Dialog.handler → DialogOwner"])),
        ShapeCase(.closures, "sendable", .cycle(["SendableOwner.handler → SendableOwner"])),
        ShapeCase(.closures, "in-struct", .cycle(["StructClosureOwner.actions.tap → StructClosureOwner"])),
        ShapeCase(.closures, "weak", .silence),
        ShapeCase(.closures, "unowned", .silence),
        ShapeCase(.closures, "weak-variable", .silence),
    ]
}
