// Cycles through the payloads of enums, whose words do not always look like pointers.
import Foundation

@main enum Program {
    static func main() { run(cases) }
}

enum Single {
    case none
    case part(Part)
}
final class SingleOwner: Owner { var state = Single.none }

/// Two class payloads: the case is told by spare bits of the pointer.
enum Multi {
    case part(Part)
    case owner(Owner)
    case idle, busy
}
final class MultiOwner: Owner { var state = Multi.idle }

/// Four class payloads need more spare bits.
enum Wide {
    case first(Part)
    case second(Part)
    case third(Part)
    case fourth(Part)
    case fifth(Part)
    case idle
}
final class WideOwner: Owner { var state = Wide.idle }

enum Mixed {
    case number(Int)
    case text(String)
    case part(Part)
    case pair(Int, Part)
}
final class MixedOwner: Owner { var state = Mixed.number(1) }

enum Labelled {
    case loading(progress: Double)
    case loaded(part: Part, at: Int)
}
final class LabelledOwner: Owner { var state = Labelled.loading(progress: 0.5) }

indirect enum Chain {
    case end
    case link(Part, Chain)
}
final class ChainOwner: Owner { var chain = Chain.end }

enum Tree {
    case leaf(Int)
    indirect case node(Tree, Part, Tree)
}
final class TreeOwner: Owner { var tree = Tree.leaf(1) }

/// Payloads with functions among other things: the compiler writes their boxes' types in its own, lowered terms.
indirect enum Command {
    case none
    case batch([Command])
    case run(name: String, () -> Void)
    case undo(of: Command, at: Int)
}
final class CommandOwner: Owner {
    var history: [Command] = []
    func record() { history.append(.batch([.none, .undo(of: .run(name: "touch", { touch(self.number) }), at: 3)])) }
}

/// The function's type depends on the enum's parameter, so it is stored as a function of something generic.
indirect enum Step<Agent> {
    case rest
    case act(String, (Agent) -> Bool)
    case both([Step])
}
final class StepOwner: Owner {
    var step = Step<StepOwner>.rest
    func plan() { step = .both([.rest, .act("look", { $0.number == self.number })]) }
}

final class ResultOwner: Owner { var result: Result<Part, Problem>? }
struct Problem: Error { var code = 1 }

final class ResultTextOwner: Owner { var result: Result<String, PartError> = .success("fine") }
struct PartError: Error { var part: Part }

final class OptionalEnumOwner: Owner { var state: Multi?? }

enum Outer {
    case inner(Multi)
    case other(Int)
}
final class NestedEnumOwner: Owner { var outer = Outer.other(1) }

enum GenericState<Value> {
    case empty
    case full(Value)
    case both(Value, Value)
}
final class GenericEnumOwner: Owner { var state = GenericState<Part>.empty }

enum ClosureState {
    case none
    case handler(() -> Void)
    case part(Part)
}
final class ClosureEnumOwner: Owner { var state = ClosureState.none }

final class EitherOwner: Owner { var either: Either<Part, String> = .right("text") }
enum Either<Left, Right> {
    case left(Left)
    case right(Right)
}

@inline(never) func single() {
    let o = SingleOwner()
    o.state = .part(Part(o))
    touch(o)
}
@inline(never) func multi() {
    let o = MultiOwner()
    o.state = .part(Part(o))
    touch(o)
}
@inline(never) func multiSecond() {
    let o = MultiOwner()
    o.state = .owner(o)
    touch(o)
}
@inline(never) func wide() {
    let o = WideOwner()
    o.state = .fourth(Part(o))
    touch(o)
}
@inline(never) func mixed() {
    let o = MixedOwner()
    o.state = .part(Part(o))
    touch(o)
}
@inline(never) func mixedPair() {
    let o = MixedOwner()
    o.state = .pair(1, Part(o))
    touch(o)
}
@inline(never) func labelled() {
    let o = LabelledOwner()
    o.state = .loaded(part: Part(o), at: 3)
    touch(o)
}
@inline(never) func indirectChain() {
    let o = ChainOwner()
    o.chain = .link(Part(), .link(Part(o), .end))
    touch(o)
}
@inline(never) func indirectTree() {
    let o = TreeOwner()
    o.tree = .node(.leaf(1), Part(o), .leaf(2))
    touch(o)
}
@inline(never) func genericClosure() {
    let o = StepOwner()
    o.plan()
    touch(o)
}
@inline(never) func indirectClosure() {
    let o = CommandOwner()
    o.record()
    touch(o)
}
@inline(never) func result() {
    let o = ResultOwner()
    o.result = .success(Part(o))
    touch(o)
}
@inline(never) func resultFailure() {
    let o = ResultTextOwner()
    o.result = .failure(PartError(part: Part(o)))
    touch(o)
}
@inline(never) func optionalEnum() {
    let o = OptionalEnumOwner()
    o.state = .some(.some(.part(Part(o))))
    touch(o)
}
@inline(never) func nestedEnum() {
    let o = NestedEnumOwner()
    o.outer = .inner(.part(Part(o)))
    touch(o)
}
@inline(never) func genericEnum() {
    let o = GenericEnumOwner()
    o.state = .full(Part(o))
    touch(o)
}
@inline(never) func genericEnumBoth() {
    let o = GenericEnumOwner()
    o.state = .both(Part(), Part(o))
    touch(o)
}
@inline(never) func closureEnum() {
    let o = ClosureEnumOwner()
    o.state = .handler { touch(o) }
    touch(o)
}
@inline(never) func either() {
    let o = EitherOwner()
    o.either = .left(Part(o))
    touch(o)
}

let cases: Cases = [
    "single": single, "multi": multi, "multi-second": multiSecond, "wide": wide, "mixed": mixed,
    "mixed-pair": mixedPair, "labelled": labelled, "indirect-chain": indirectChain, "indirect-tree": indirectTree,
    "indirect-closure": indirectClosure, "generic-closure": genericClosure,
    "result": result, "result-failure": resultFailure, "optional-enum": optionalEnum, "nested-enum": nestedEnum,
    "generic-enum": genericEnum, "generic-enum-both": genericEnumBoth, "closure-enum": closureEnum, "either": either,
]
