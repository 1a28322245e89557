import Testing

@testable import GameprofBasics

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

@Test(arguments: [
    ("pending[…]", true), ("jobs[…].run", true), ("_retryQueue", true), ("onCompletion", true), ("DownloadTask", true),
    ("onTap", false), ("observers[…]", false), ("handler.some", false), ("provider", false), ("Workshop", false),
])
func `a name says whether a closure is still to be called`(_ name: String, _ isWork: Bool) {
    #expect(FieldName.namesWork(name) == isWork)
}

@Test(arguments: [
    ("closure #1 in Puzzle.tilt(to:countOffset:)", "Puzzle"), ("closure #1 in Grammar.term.getter", "Grammar"),
    ("closure #2 in Form.text.didset", "Form"), ("closure #1 in Form.Row.init(_:)", "Row"),
    ("closure #1 in go(_:)", nil), ("closure #1 in count.getter", nil),
])
func `a closure belongs to the type whose member made it`(_ name: String, _ type: String?) {
    #expect(FunctionName.enclosingType(name) == type)
}
