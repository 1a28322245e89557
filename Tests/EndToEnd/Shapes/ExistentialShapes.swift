extension ShapeCase {
    static let existentials: [ShapeCase] = [
        ShapeCase(
            .existentials, "inline-struct",
            .cycle(["AnyProtocolOwner.shape.part → Part", "Part.owner → AnyProtocolOwner"])),
        ShapeCase(
            .existentials, "boxed-struct",
            .cycle(["AnyProtocolOwner.shape.part → Part", "Part.owner → AnyProtocolOwner"])),
        ShapeCase(
            .existentials, "inline-class", .cycle(["AnyProtocolOwner.shape → Part", "Part.owner → AnyProtocolOwner"])),
        ShapeCase(
            .existentials, "class-bound", .cycle(["DelegateOwner.delegate → Part", "Part.owner → DelegateOwner"])),
        ShapeCase(
            .existentials, "composition", .cycle(["CompositionOwner.both → Part", "Part.owner → CompositionOwner"])),
        ShapeCase(.existentials, "any", .cycle(["AnyOwner.anything → Part", "Part.owner → AnyOwner"])),
        ShapeCase(
            .existentials, "any-struct",
            .cycle(["PlainAnyOwner.anything.part → Part", "Part.owner → PlainAnyOwner"])),
        ShapeCase(
            .existentials, "any-optional", .cycle(["PlainAnyOwner.anything → Part", "Part.owner → PlainAnyOwner"])),
        ShapeCase(
            .existentials, "any-object", .cycle(["AnyObjectOwner.object → Part", "Part.owner → AnyObjectOwner"])),
        ShapeCase(
            .existentials, "error-struct", .cycle(["ErrorOwner.error.part → Part", "Part.owner → ErrorOwner"])),
        ShapeCase(
            .existentials, "error-class",
            .cycle(["ErrorOwner.error → ClassError", "ClassError.owner → ErrorOwner"])),
        ShapeCase(.existentials, "error-enum", .cycle(["ErrorOwner.error.part → Part", "Part.owner → ErrorOwner"])),
        ShapeCase(
            .existentials, "in-array", .cycle(["ShapesOwner.shapes[…].part → Part", "Part.owner → ShapesOwner"])),
        ShapeCase(
            .existentials, "any-array", .cycle(["AnyArrayOwner.items[…] → Part", "Part.owner → AnyArrayOwner"])),
        ShapeCase(
            .existentials, "any-dictionary",
            .cycle(["AnyDictionaryOwner.info[…] → Part", "Part.owner → AnyDictionaryOwner"])),
        ShapeCase(
            .existentials, "subclass-existential",
            .cycle(["SubclassExistentialOwner.peer → NamedPeer", "NamedPeer.owner → SubclassExistentialOwner"])),
        ShapeCase(
            .existentials, "any-hashable", .cycle(["HashableOwner.key → KeyPart", "KeyPart.owner → HashableOwner"])),
        ShapeCase(
            .existentials, "parameterised",
            .cycle(["ParameterisedOwner.boxed.content → Part", "Part.owner → ParameterisedOwner"])),
        ShapeCase(
            .existentials, "parameterised-argument",
            .cycle(["KeeperOwner.boxed → Keeper<Boxed<Part>>", "Keeper<Boxed<Part>>.owner → KeeperOwner"])),
        ShapeCase(
            .existentials, "labelled-tuple",
            .cycle(["KeeperOwner.pairs[…].right → Part", "Part.owner → KeeperOwner"])),
        ShapeCase(
            .existentials, "parameterised-array",
            .cycle(["ParameterisedArrayOwner.boxes[…].content → Part", "Part.owner → ParameterisedArrayOwner"])),
        ShapeCase(
            .existentials, "parameterised-class", .cycle(["LinkOwner.link → Link", "Link.owner → LinkOwner"])),
    ]
}
