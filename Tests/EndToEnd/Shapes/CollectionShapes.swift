extension ShapeCase {
    static let collections: [ShapeCase] = [
        ShapeCase(.collections, "array", .cycle(["ArrayOwner.parts[…] → Part", "Part.owner → ArrayOwner"])),
        ShapeCase(
            .collections, "struct-array",
            .cycle(["StructArrayOwner.slots[…].part → Part", "Part.owner → StructArrayOwner"])),
        ShapeCase(
            .collections, "optional-array",
            .cycle(["OptionalArrayOwner.parts[…] → Part", "Part.owner → OptionalArrayOwner"])),
        ShapeCase(
            .collections, "tuple-array",
            .cycle(["TupleArrayOwner.pairs[…].1 → Part", "Part.owner → TupleArrayOwner"])),
        ShapeCase(
            .collections, "contiguous", .cycle(["ContiguousOwner.parts[…] → Part", "Part.owner → ContiguousOwner"])),
        ShapeCase(.collections, "slice", .cycle(["SliceOwner.slice[…] → Part", "Part.owner → SliceOwner"])),
        ShapeCase(
            .collections, "nested-array",
            .cycle(["NestedArrayOwner.rows[…][…] → Part", "Part.owner → NestedArrayOwner"])),
        ShapeCase(
            .collections, "dictionary-value",
            .cycle(["DictionaryValueOwner.parts[…] → Part", "Part.owner → DictionaryValueOwner"])),
        ShapeCase(
            .collections, "dictionary-int",
            .cycle(["DictionaryIntOwner.parts[…] → Part", "Part.owner → DictionaryIntOwner"])),
        ShapeCase(
            .collections, "dictionary-key",
            .cycle(["DictionaryKeyOwner.numbers[key] → Key", "Key.owner → DictionaryKeyOwner"])),
        ShapeCase(
            .collections, "dictionary-array",
            .cycle(["DictionaryArrayOwner.groups[…][…] → Part", "Part.owner → DictionaryArrayOwner"])),
        ShapeCase(
            .collections, "dictionary-enum-key",
            .cycle(["EnumKeyOwner.parts[…] → Part", "Part.owner → EnumKeyOwner"])),
        ShapeCase(.collections, "set", .cycle(["SetOwner.keys[…] → Key", "Key.owner → SetOwner"])),
        ShapeCase(
            .collections, "collection-of-one",
            .cycle(["CollectionOfOneOwner.one → Part", "Part.owner → CollectionOfOneOwner"])),
        ShapeCase(
            .collections, "lazy-map", .cycle(["LazyMapOwner.view[…] → Part", "Part.owner → LazyMapOwner"])),
        ShapeCase(.collections, "last-element", .cycle(["ArrayOwner.parts[…] → Part", "Part.owner → ArrayOwner"])),
        ShapeCase(.collections, "ring", .cycle(["Node.next → Node"])),
        ShapeCase(.collections, "many", .cycle(["Twin.other → Twin"]), count: 10_000),
        ShapeCase(.collections, "doubly-linked", .cycle(["Link.next → Link", "Link.previous → Link"])),
        ShapeCase(.collections, "strong-parent", .cycle(["Branch.children[…] → Branch", "Branch.parent → Branch"])),
        ShapeCase(
            .collections, "hook-buffer",
            .cycle(["HookOwner.hooks → HookBuffer", "HookBuffer[…].part → Part", "Part.owner → HookOwner"])),
        ShapeCase(
            .collections, "managed-buffer",
            .cycle(["BufferOwner.buffer → Buffer", "Buffer[…] → Part", "Part.owner → BufferOwner"])),
    ]
}
