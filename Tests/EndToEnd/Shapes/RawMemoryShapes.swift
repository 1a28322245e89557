extension ShapeCase {
    static let rawMemory: [ShapeCase] = [
        ShapeCase(.rawMemory, "malloc", .lostMemory(bytes: 1_234)),
        ShapeCase(.rawMemory, "calloc", .lostMemory(bytes: 2_400)),
        ShapeCase(.rawMemory, "strdup", .lostMemory(bytes: 38)),
        ShapeCase(.rawMemory, "realloc", .lostMemory(bytes: 5_000)),
        ShapeCase(.rawMemory, "aligned", .lostMemory(bytes: 3_000)),
        ShapeCase(.rawMemory, "many-mallocs", .lostMemory(bytes: 6_400), count: 100),
        ShapeCase(.rawMemory, "buffer", .lostMemory(bytes: 4_000)),
        ShapeCase(.rawMemory, "buffer-of-objects", .errorNaming("Part")),
        ShapeCase(.rawMemory, "chain", .lostMemory(bytes: 320)),
        ShapeCase(.rawMemory, "retained", .lostObject("Attribute")),
        ShapeCase(.rawMemory, "retained-twice", .lostObject("Attribute")),
        ShapeCase(.rawMemory, "retained-with-contents", .lostObject("Shared")),
        ShapeCase(.rawMemory, "opaque-context", .lostObject("Part")),
        ShapeCase(.rawMemory, "closure-in-buffer", .errorNaming("Part")),
        ShapeCase(.rawMemory, "lost-by-queue", .lostMemory(bytes: 6_170), count: 5),
        ShapeCase(.rawMemory, "behind-metadata", .lostObject("Attribute"), count: 5),
        ShapeCase(.rawMemory, "behind-unwritten", .lostObject("Attribute"), count: 2),
        ShapeCase(.rawMemory, "all-freed", .silence),
        ShapeCase(.encoded, "beside-unowned", .lostObject("Session"), count: 5),
        ShapeCase(.encoded, "truncated", .lostObject("Session"), count: 5),
    ]
}
