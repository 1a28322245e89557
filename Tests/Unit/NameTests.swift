import GameModel
import Testing

@testable import GameprofBasics

@Test(arguments: [
    ("Game.Board", "Board"), ("Game.Outer.Box<Game.Card>", "Box"), ("Game.Outer<Swift.Int>.Layer<Game.Card>", "Layer"),
    ("Game.Box<(Game.Card) -> Game.Board>.Slot", "Slot"), ("Game.Outer<(A.B, C.D)>.Inner", "Inner"),
    ("(A.B, C.D)", "(A.B, C.D)"), ("memory", "memory"), ("Game.`Board v1.2`", "`Board v1.2`"),
    ("Game.`Stack<Int> of`<Game.`a.b`>.`In (it), x`", "`In (it), x`"), ("Game.`a<b`<Game.C>", "`a<b`"),
    ("Game.`cut. off", "`cut. off"),
])
func `a bare name has neither module nor arguments, nor what encloses it`(_ name: String, _ bare: String) {
    #expect(TypeName.bare(name) == bare)
}

@Test(arguments: [
    "partial apply forwarder for closure #1 in Board.deal()", "closure #1 in Board.deal()",
    "async function pointer to partial apply forwarder for closure #1 in Board.deal()",
    "function pointer to partial apply for closure #1 in Board.deal()",
])
func `a closure is called the same whatever leads to its code`(_ name: String) {
    #expect(FunctionName.plain(name) == "closure #1 in Board.deal()")
}

@Test(arguments: [
    ("pending[…]", true), ("jobs[…].run", true), ("_retryQueue", true), ("onCompletion", true), ("DownloadTask", true),
    ("`the queue`[…]", true), ("`job. it`", false), ("onTap", false), ("observers[…]", false), ("handler.some", false),
    ("provider", false), ("Workshop", false),
])
func `a name says whether a closure is still to be called`(_ name: String, _ isWork: Bool) {
    #expect(FieldName.namesWork(name) == isWork)
}

@Test(arguments: [
    ("closure #1 in Puzzle.tilt(to:countOffset:)", "Puzzle"), ("closure #1 in Grammar.term.getter", "Grammar"),
    ("closure #2 in Form.text.didset", "Form"), ("closure #1 in Form.Row.init(_:)", "Row"),
    ("closure #1 in go(_:)", nil), ("closure #1 in count.getter", nil),
    ("closure #1 in `Board v1.2`.`play (it) in x`(`how in`:_:)", "`Board v1.2`"),
    ("static Board..<. infix(_:_:)", "Board"), ("static Box<A>.< infix(_:_:)", "Box"),
    ("..< infix(_:_:)", nil), ("closure #1 in `a.b in c.d`()", nil),
    ("closure #1 in Array.`In array.x`.`me.x`.getter", "`In array.x`"),
])
func `a closure belongs to the type whose member made it`(_ name: String, _ type: String?) {
    #expect(FunctionName.enclosingType(name) == type)
}

@Test(arguments: [
    ("closure #1 in closure #12 in Board.deal()", "closure in closure in Board.deal()"),
    ("closure #1 in `Deal #2 in one`()", "closure in `Deal #2 in one`()"),
    ("static `merged x`.`partial apply for y`()", "`merged x`.`partial apply for y`()"),
    ("generic specialization <Game.`a> of b`> of Box.`c`()", "Box.`c`()"),
])
func `numbers and what compilers add leave a name, none of its identifiers`(_ name: String, _ rest: String) {
    #expect(FunctionName.unnumbered(name) == rest)
}

@Test func `what a function is is read from its structure, not from words in its identifiers`() {
    #expect(FunctionName.isClosure("closure #1 in Board.deal()"))
    #expect(!FunctionName.isClosure("`closure #1 in it`()"))
    #expect(FunctionName.isInitializer("Board.__allocating_init(peer:)"))
    #expect(!FunctionName.isInitializer("Board.`x.init`()"))
    #expect(FunctionName.isDeinitializer("closure #1 in Board.deinit"))
    #expect(!FunctionName.isDeinitializer("Board.`deinit`()"))
    #expect(FunctionName.isOutlined("outlined destroy of `Board v1.2`?"))
    #expect(!FunctionName.isOutlined("Board.outlined(`outlined x`:)"))
    #expect(FunctionName.isMetadata("nominal type descriptor for Board"))
    #expect(!FunctionName.isMetadata("Board.`metadata for x`()"))
    #expect(FunctionName.isConsuming("Board.peer.setter"))
    #expect(!FunctionName.isConsuming("Board.modify(`x.setter`:)"))
    #expect(FunctionName.isManualRelease("Unmanaged.release()"))
    #expect(!FunctionName.isManualRelease("Board.`Unmanaged.release`()"))
    #expect(FunctionName.isPlace("my image+0x1a2b"))
    #expect(!FunctionName.isPlace("Board.`a+0x1f`()"))
    #expect(
        FunctionName.withoutConformance("P.`go in conformance x`() in conformance Board") == "P.`go in conformance x`()"
    )
    #expect(
        FunctionName.withoutAllocation("`.__allocating_init(`.__allocating_init()") == "`.__allocating_init(`.init()")
}

@Test(arguments: [
    ("Swift.Dictionary<Swift.String, Game.`a, b.c`>", "[String: `a, b.c`]"),
    ("Swift.Optional<Game.`a->b`>", "`a->b`?"), ("Swift.Optional<() -> ()>", "(() -> ())?"),
    ("Swift.Array<Swift.Int>.Index<Swift.Optional<Game.Card>>", "[Int].Index<Card?>"),
    ("Game.`Board v1.2`<(`x.y`: Game.`c d.e`, Swift.Int)>.`In.x`", "`Board v1.2`<(`x.y`: `c d.e`, Int)>.`In.x`"),
])
func `a type is written without modules and with sugar, its identifiers as they are`(_ name: String, _ short: String) {
    #expect(ShortNames([name])[name] == short)
}

@Test func `what a type belongs to and what it is made of is told from raw identifiers`() {
    #expect(TypeName.module(of: "Game.`a.b`") == "Game")
    #expect(TypeName.module(of: "`a.b`") == nil)
    #expect(TypeName.declared("Game.`a<b`<Game.Card>.`c>d`") == "Game.`a<b`.`c>d`")
    #expect(TypeName.arguments("Swift._DictionaryStorage<Swift.Int, Game.`a, b`>").last == "Game.`a, b`")
    #expect(TypeName.isOne("Game.`a b`<Swift.Int, Swift.Int>"))
    #expect(!TypeName.isOne("Cache.all of libCache.so"))
    #expect(TypeName.matches("Game.Outer<Swift.Int>.`Board v1.2`", GlobPattern("`Board *`")))
    #expect(!TypeName.matches("Game.`Board v1.2`", GlobPattern("2`")))
}

@Test func `a path is taken apart between its properties`() {
    #expect(FieldName.property(of: "`a.b`[…].`c[d]`") == "`a.b`")
    #expect(FieldName.first("`a.b`[…].`c[d]`") == "`a.b`[…]")
    #expect(FieldName.last("`a.b`[…].`c.d`") == "`c.d`")
    #expect(FieldName.rest(of: "`a.b`[…].owner", behind: "`a.b`[…]") == "owner")
    #expect(FieldName.clean("`x.some`.some") == "`x.some`")
    #expect(FieldName.namesBackReference("rows[…].`the owner`"))
    #expect(FieldName.wrapped("`_wrap it.y`.wrappedValue.some") == "`wrap it.y`")
    #expect(FieldName.wrapped("_part.wrappedValue") == "part")
}

@Test(arguments: [
    ("$__lazy_storage_$_image", false, "image"), ("$__lazy_storage_$_my img.x", false, "`my img.x`"),
    ("_rows", true, "rows"),
    ("_rows", false, "_rows"), ("`_my rows`", true, "`my rows`"), ("_0", true, "`0`"),
    ("_$observationRegistrar", true, "_$observationRegistrar"),
])
func `a property is called as its source calls it`(_ name: String, _ isObservable: Bool, _ source: String) {
    #expect(FieldName.source(name[...], isObservable: isObservable) == source)
}

@Test func `names of any text are read to their end`() {
    let marks = [
        "<", ">", "(", ")", "`", "\"", ".", " ", "->", "[…]", "#", "é", "\u{301}", "\n", " in ", "a", " infix",
    ]
    var generator = SplitMix64(seed: 13)
    for _ in 0..<500 {
        let name = (0..<40).map { _ in marks.randomElement(using: &generator) ?? "" }.joined()
        #expect(NameTokens(name).map { String(name[$0.range]) }.joined() == name)
        for text in [
            TypeName.bare(name), TypeName.declared(name), ShortNames.strip(name), TypeSugar.sugared(name),
            FieldName.clean(name),
            FunctionName.unnumbered(name), FunctionName.member(name), FunctionName.enclosingType(name) ?? "",
        ] {
            #expect(text.utf8.count <= 2 * name.utf8.count)
        }
    }
}
