extension ShapeCase {
    static let modern: [ShapeCase] = [
        ShapeCase(.modern, "actor-hop", .cycle(["Watcher.bank → Bank", "Bank.changed → Watcher"])),
        ShapeCase(.modern, "global-actor-hop", .cycle(["Board.hook → Board"])),
        ShapeCase(.modern, "stream-consumer", .cycle(["Listener.task → Listener"])),
        ShapeCase(.modern, "stream-consumer-of-main", .cycle(["Listener.task → Listener"])),
        ShapeCase(.modern, "pack-function", .cycle(["QueryOwner.queries[…].owner → QueryOwner"])),
        ShapeCase(
            .modern, "pack",
            .cycle([
                "Bag<Swift.Int, Swift.String, Part>.items → Part", "Part.owner → Bag<Swift.Int, Swift.String, Part>",
            ])),
        ShapeCase(.modern, "inline-array", .cycle(["InlineOwner.slots[…] → Part", "Part.owner → InlineOwner"])),
        ShapeCase(.modern, "inline-grid", .cycle(["GridOwner.grid.cells[…][…] → Part", "Part.owner → GridOwner"])),
        ShapeCase(
            .modern, "dictionary-struct",
            .cycle(["EntriesOwner.entries[…].part → Part", "Part.owner → EntriesOwner"])),
        ShapeCase(
            .modern, "dictionary-enum",
            .cycle(["ExpressionsOwner.named[…].sum.1.named → Part", "Part.owner → ExpressionsOwner"])),
    ]
}
