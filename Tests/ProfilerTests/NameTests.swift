import Testing

@testable import Profiler

@Test(arguments: [
    ("Game.Board", "Board"), ("Game.Outer.Box<Game.Card>", "Box"), ("Game.Outer<Swift.Int>.Layer<Game.Card>", "Layer"),
    ("Game.Box<(Game.Card) -> Game.Board>.Slot", "Slot"), ("Game.Outer<(A.B, C.D)>.Inner", "Inner"),
    ("(A.B, C.D)", "(A.B, C.D)"), ("memory", "memory"),
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
