extension ShapeCase {
    static let fields: [ShapeCase] = [
        ShapeCase(.fields, "plain", .cycle(["PlainOwner.part → Part", "Part.owner → PlainOwner"])),
        ShapeCase(.fields, "self", .cycle(["SelfOwner.me → SelfOwner"])),
        ShapeCase(.fields, "inherited", .cycle(["DerivedOwner.inheritedPart → Part", "Part.owner → DerivedOwner"])),
        ShapeCase(.fields, "deep", .cycle(["DeepOwner.middlePart → Part", "Part.owner → DeepOwner"])),
        ShapeCase(.fields, "lazy", .cycle(["LazyOwner.helper → Part", "Part.owner → LazyOwner"])),
        ShapeCase(
            .fields, "wrapper", .cycle(["WrapperOwner._part.wrappedValue → Part", "Part.owner → WrapperOwner"])),
        ShapeCase(
            .fields, "observable",
            .cycle([
                "ObservableOwner.partner → ObservablePart", "ObservablePart.owner → ObservableOwner",
            ])),
        ShapeCase(
            .fields, "nested-struct", .cycle(["NestedOwner.middle.inner.part → Part", "Part.owner → NestedOwner"])),
        ShapeCase(.fields, "tuple", .cycle(["TupleOwner.pair.part → Part", "Part.owner → TupleOwner"])),
        ShapeCase(
            .fields, "unlabelled-tuple",
            .cycle(["UnlabelledTupleOwner.pair.1 → Part", "Part.owner → UnlabelledTupleOwner"])),
        ShapeCase(.fields, "optional3", .cycle(["Optional3Owner.part → Part", "Part.owner → Optional3Owner"])),
        ShapeCase(
            .fields, "optional-struct",
            .cycle(["OptionalStructOwner.holder.part → Part", "Part.owner → OptionalStructOwner"])),
        ShapeCase(.fields, "generic-box", .cycle(["Box<Card>.value → Card", "Card.box → Box<Card>"])),
        ShapeCase(
            .fields, "bound-parameter",
            .cycle(["BoundBox<BoundOwner>.bound → BoundOwner", "BoundOwner.box → BoundBox<BoundOwner>"])),
        ShapeCase(
            .fields, "generic-struct",
            .cycle(["GenericStructOwner.pair.second → Part", "Part.owner → GenericStructOwner"])),
        ShapeCase(.fields, "generic-base", .cycle(["IntBase.extra → IntBase"])),
        ShapeCase(
            .fields, "generic-derived",
            .cycle(["GenericDerived<Swift.String>.back → GenericDerived<Swift.String>"])),
        ShapeCase(.fields, "nested-type", .cycle(["Scope.Inner.part → Part", "Part.owner → Scope.Inner"])),
        ShapeCase(.fields, "let", .cycle(["LetOwner.part → LetPart", "LetPart.owner → LetOwner"])),
        ShapeCase(
            .fields, "weird-layout", .cycle(["WeirdLayoutOwner.part → Part", "Part.owner → WeirdLayoutOwner"])),
        ShapeCase(.fields, "three", .cycle(["First.second → Second", "Second.third → Third", "Third.first → First"])),
        ShapeCase(.fields, "hub", .cycle(["Hub.part → Part", "Part.owner → Hub"])),
        ShapeCase(.fields, "local-type", .cycle(["Local.part → Part", "Part.owner → Local"])),
        ShapeCase(.fields, "private-type", .cycle(["Hidden.part → Part", "Part.owner → Hidden"])),
        ShapeCase(.fields, "pinned", .cycle(["MutualA.strong → MutualB", "MutualB.strong → MutualA"])),
        ShapeCase(.fields, "loop", .cycle(["PlainOwner.part → Part", "Part.owner → PlainOwner"]), count: 3),
        ShapeCase(.weak, "lost-watcher", .cycle(["Watcher.part → Part", "Part.owner → Watcher"])),
    ]
}
