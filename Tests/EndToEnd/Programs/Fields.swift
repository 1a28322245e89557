// Cycles through every way a stored property can hold a reference.
import Foundation
import Observation

@main enum Program {
    static func main() { run(cases) }
}

// Plain.
final class PlainOwner: Owner { var part: Part? }

// The object holds itself.
final class SelfOwner: Owner { var me: SelfOwner? }

// The field belongs to the superclass.
class BaseOwner: Owner { var inheritedPart: Part? }
final class DerivedOwner: BaseOwner { var own = 3 }

// Six classes deep, a field in the middle.
class Level1: Owner { var a = 1 }
class Level2: Level1 { var b: Int8 = 2 }
class Level3: Level2 { var middlePart: Part? }
class Level4: Level3 { var c: Int16 = 3 }
class Level5: Level4 { var d = "four" }
final class DeepOwner: Level5 { var e = 5.0 }

final class LazyOwner: Owner { lazy var helper = Part(self) }

@propertyWrapper struct Clamped<Value> {
    var wrappedValue: Value
    var projectedValue: Int { 7 }
}
final class WrapperOwner: Owner { @Clamped var part: Part? = nil }

@Observable final class ObservableOwner {
    var number = 1
    var partner: ObservablePart?
}
@Observable final class ObservablePart {
    var number = 2
    var owner: ObservableOwner?
}

struct Inner {
    var name = "inner"
    var part: Part?
}
struct Middle {
    var count = 1
    var inner = Inner()
}
final class NestedOwner: Owner {
    var padding: Int8 = 1
    var middle = Middle()
}

final class TupleOwner: Owner { var pair: (number: Int, part: Part?) = (1, nil) }
final class UnlabelledTupleOwner: Owner { var pair: (Int, Part?) = (1, nil) }

final class Optional3Owner: Owner { var part: Part??? = nil }

struct Holder {
    var number = 1
    var part: Part
}
final class OptionalStructOwner: Owner { var holder: Holder? }

final class Box<Value> {
    var number = 4
    var value: Value?
    init(_ value: Value?) { self.value = value }
}
final class Card {
    var number = 5
    var box: Box<Card>?
}

struct Pair<First, Second> {
    var first: First
    var second: Second
}
final class GenericStructOwner: Owner { var pair = Pair<Int, Part?>(first: 1, second: nil) }

final class BoundBox<Bound: AnyObject>: Owner { var bound: Bound? }
final class BoundOwner: Owner { var box: BoundBox<BoundOwner>? }
class GenericBase<Value> {
    var number = 6
    var content: Value?
    var tail = 1
}
final class IntBase: GenericBase<Part> { var extra: IntBase? }
final class GenericDerived<Other>: GenericBase<Part> {
    var other: Other?
    var back: GenericDerived<Other>?
}

enum Scope {
    final class Inner: Owner { var part: Part? }
}

final class LetOwner: Owner {
    let part: LetPart
    init(_ part: LetPart) { self.part = part }
}
final class LetPart {
    var number = 2
    var owner: LetOwner?
}

final class WeirdLayoutOwner: Owner {
    var flag = true
    var small: UInt8 = 1
    var wide = SIMD4<Float>(1, 2, 3, 4)
    var part: Part?
    var last = false
}

final class First {
    var number = 1
    var second: Second?
}
final class Second {
    var number = 2
    var third: Third?
}
final class Third {
    var number = 3
    var first: First?
}

// A cycle from which more hangs: what it keeps is counted with it.
final class Hub: Owner {
    var part: Part?
    var cargo: [Part] = []
    var label = String(repeating: "cargo ", count: 20)
}

protocol Titled { var title: String { get } }
final class MutualA {
    var number = 1
    unowned(unsafe) var idle: MutualB?
    var strong: MutualB?
}
final class MutualB {
    var number = 2
    var strong: MutualA?
}

struct NoncopyableHolder: ~Copyable {
    var part: Part?
    var number = 1
}
final class NoncopyableOwner: Owner { var holder = NoncopyableHolder(part: nil) }

@inline(never) func plain() {
    let o = PlainOwner()
    o.part = Part(o)
    touch(o)
}
@inline(never) func itself() {
    let o = SelfOwner()
    o.me = o
    touch(o)
}
@inline(never) func inherited() {
    let o = DerivedOwner()
    o.inheritedPart = Part(o)
    touch(o)
}
@inline(never) func deep() {
    let o = DeepOwner()
    o.middlePart = Part(o)
    touch(o)
}
@inline(never) func lazyProperty() {
    let o = LazyOwner()
    touch(o.helper)
}
@inline(never) func wrapper() {
    let o = WrapperOwner()
    o.part = Part(o)
    touch(o)
}
@inline(never) func observable() {
    let o = ObservableOwner()
    let p = ObservablePart()
    o.partner = p
    p.owner = o
    touch(o)
}
@inline(never) func nestedStruct() {
    let o = NestedOwner()
    o.middle.inner.part = Part(o)
    touch(o)
}
@inline(never) func tuple() {
    let o = TupleOwner()
    o.pair.part = Part(o)
    touch(o)
}
@inline(never) func unlabelledTuple() {
    let o = UnlabelledTupleOwner()
    o.pair.1 = Part(o)
    touch(o)
}
@inline(never) func optional3() {
    let o = Optional3Owner()
    o.part = .some(.some(.some(Part(o))))
    touch(o)
}
@inline(never) func optionalStruct() {
    let o = OptionalStructOwner()
    o.holder = Holder(part: Part(o))
    touch(o)
}
@inline(never) func genericBox() {
    let c = Card()
    c.box = Box(c)
    touch(c)
}
@inline(never) func boundParameter() {
    let o = BoundOwner()
    let box = BoundBox<BoundOwner>()
    (o.box, box.bound) = (box, o)
    touch(o)
}
@inline(never) func genericStruct() {
    let o = GenericStructOwner()
    o.pair.second = Part(o)
    touch(o)
}
@inline(never) func genericBase() {
    let o = IntBase()
    o.content = Part()
    o.extra = o
    touch(o)
}
@inline(never) func genericDerived() {
    let o = GenericDerived<String>()
    o.other = String(repeating: "long text ", count: 10)
    o.back = o
    touch(o)
}
@inline(never) func nestedType() {
    let o = Scope.Inner()
    o.part = Part(o)
    touch(o)
}
@inline(never) func letProperty() {
    let p = LetPart()
    let o = LetOwner(p)
    p.owner = o
    touch(o)
}
@inline(never) func weirdLayout() {
    let o = WeirdLayoutOwner()
    o.part = Part(o)
    touch(o)
}
@inline(never) func threeRing() {
    let a = First()
    let b = Second()
    let c = Third()
    a.second = b
    b.third = c
    c.first = a
    touch(a)
}
@inline(never) func hub() {
    let o = Hub()
    o.part = Part(o)
    o.cargo = (0..<5).map { _ in Part() }
    touch(o)
}
@inline(never) func localType() {
    final class Local: Owner { var part: Part? }
    let o = Local()
    o.part = Part(o)
    touch(o)
}
private final class Hidden: Owner { var part: Part? }
@inline(never) func privateType() {
    let o = Hidden()
    o.part = Part(o)
    touch(o)
}
@inline(never) func noncopyable() {
    let o = NoncopyableOwner()
    o.holder.part = Part(o)
    touch(o)
}
@inline(never) func pinned() {
    let a = MutualA()
    let b = MutualB()
    a.strong = b
    a.idle = b
    b.strong = a
    touch(a)
}

/// The scope of the lost objects is still the caller: their stack slots may well be there at the end.
@inline(never) func sameFrameLoop() {
    for _ in 0..<3 {
        let o = PlainOwner()
        let p = Part(o)
        o.part = p
        touch(p)
    }
}

let cases: Cases = [
    "plain": plain, "self": itself, "inherited": inherited, "deep": deep, "lazy": lazyProperty, "wrapper": wrapper,
    "observable": observable, "nested-struct": nestedStruct, "tuple": tuple, "unlabelled-tuple": unlabelledTuple,
    "optional3": optional3, "optional-struct": optionalStruct, "generic-box": genericBox,
    "bound-parameter": boundParameter,
    "generic-struct": genericStruct, "generic-base": genericBase, "generic-derived": genericDerived,
    "nested-type": nestedType, "let": letProperty, "weird-layout": weirdLayout, "three": threeRing, "hub": hub,
    "local-type": localType, "private-type": privateType, "noncopyable": noncopyable, "pinned": pinned,
    "loop": sameFrameLoop,
]
