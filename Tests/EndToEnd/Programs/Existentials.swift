// Cycles through existential containers: inline, boxed, class-bound, Any, errors.
import Foundation

@main enum Program {
    static func main() { run(cases) }
}

protocol Drawable { var number: Int { get } }
protocol Delegate: AnyObject { var number: Int { get } }
protocol Named { var name: String { get } }

extension Part: Drawable, Delegate {}

struct SmallShape: Drawable {
    var number = 1
    var part: Part
}
struct LargeShape: Drawable {
    var number = 1
    var second = 2
    var third = 3
    var fourth = 4
    var part: Part
}

final class AnyProtocolOwner: Owner { var shape: (any Drawable)? }
final class DelegateOwner: Owner { var delegate: (any Delegate)? }
final class CompositionOwner: Owner { var both: (any Drawable & Delegate)? }
final class AnyOwner: Owner { var anything: Any? }
final class PlainAnyOwner: Owner { var anything: Any = 1 }
final class AnyObjectOwner: Owner { var object: AnyObject? }
final class ErrorOwner: Owner { var error: (any Error)? }
final class ShapesOwner: Owner { var shapes: [any Drawable] = [] }
final class AnyArrayOwner: Owner { var items: [Any] = [] }
final class AnyDictionaryOwner: Owner { var info: [String: Any] = [:] }
final class SubclassExistentialOwner: Owner { var peer: (Owner & Named)? }
final class NamedPeer: Owner, Named {
    var name = "peer"
    var owner: Owner?
}
final class HashableOwner: Owner { var key: AnyHashable? }
final class KeyPart: Hashable {
    var number = 3
    var owner: Owner?
    static func == (a: KeyPart, b: KeyPart) -> Bool { a === b }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

struct StructError: Error {
    var code = 7
    var part: Part
}
final class ClassError: Error {
    let number = 8
    var owner: Owner?
}
enum EnumError: Error {
    case code(Int)
    case part(Part)
}

protocol Boxed<Content> {
    associatedtype Content
    var content: Content { get }
}
struct PartBoxed: Boxed { var content: Part }
final class ParameterisedOwner: Owner { var boxed: (any Boxed<Part>)? }
final class ParameterisedArrayOwner: Owner { var boxes: [any Boxed<Part>] = [] }
protocol Linked<Content>: AnyObject {
    associatedtype Content
    var content: Content? { get }
}
final class Link: Linked {
    var content: Part?
    var owner: LinkOwner?
}
final class Keeper<Kept> {
    var kept: Kept?
    var owner: KeeperOwner?
}
final class KeeperOwner: Owner {
    var boxed: Keeper<any Boxed<Part>>?
    var pairs: [(left: Part, right: Part)] = []
}
final class LinkOwner: Owner { var link: (any Linked<Part>)? }

@inline(never) func inlineStruct() {
    let o = AnyProtocolOwner()
    o.shape = SmallShape(part: Part(o))
    touch(o)
}
@inline(never) func boxedStruct() {
    let o = AnyProtocolOwner()
    o.shape = LargeShape(part: Part(o))
    touch(o)
}
@inline(never) func inlineClass() {
    let o = AnyProtocolOwner()
    o.shape = Part(o)
    touch(o)
}
@inline(never) func classBound() {
    let o = DelegateOwner()
    o.delegate = Part(o)
    touch(o)
}
@inline(never) func composition() {
    let o = CompositionOwner()
    o.both = Part(o)
    touch(o)
}
@inline(never) func any() {
    let o = AnyOwner()
    o.anything = Part(o)
    touch(o)
}
@inline(never) func anyStruct() {
    let o = PlainAnyOwner()
    o.anything = LargeShape(part: Part(o))
    touch(o)
}
@inline(never) func anyOptional() {
    let o = PlainAnyOwner()
    o.anything = Optional(Part(o)) as Any
    touch(o)
}
@inline(never) func anyObject() {
    let o = AnyObjectOwner()
    o.object = Part(o)
    touch(o)
}
@inline(never) func errorStruct() {
    let o = ErrorOwner()
    o.error = StructError(part: Part(o))
    touch(o)
}
@inline(never) func errorClass() {
    let o = ErrorOwner()
    let e = ClassError()
    e.owner = o
    o.error = e
    touch(o)
}
@inline(never) func errorEnum() {
    let o = ErrorOwner()
    o.error = EnumError.part(Part(o))
    touch(o)
}
@inline(never) func inArray() {
    let o = ShapesOwner()
    o.shapes = [SmallShape(part: Part()), LargeShape(part: Part(o))]
    touch(o)
}
@inline(never) func anyArray() {
    let o = AnyArrayOwner()
    o.items = [1, "two", Part(o)]
    touch(o)
}
@inline(never) func anyDictionary() {
    let o = AnyDictionaryOwner()
    o.info = ["part": Part(o), "n": 1]
    touch(o)
}
@inline(never) func subclassExistential() {
    let o = SubclassExistentialOwner()
    let p = NamedPeer()
    p.owner = o
    o.peer = p
    touch(o)
}
@inline(never) func anyHashable() {
    let o = HashableOwner()
    let k = KeyPart()
    k.owner = o
    o.key = AnyHashable(k)
    touch(o)
}
@inline(never) func parameterised() {
    let o = ParameterisedOwner()
    o.boxed = PartBoxed(content: Part(o))
    touch(o)
}
@inline(never) func parameterisedArray() {
    let o = ParameterisedArrayOwner()
    o.boxes.append(PartBoxed(content: Part(o)))
    touch(o)
}
@inline(never) func parameterisedClass() {
    let o = LinkOwner()
    let link = Link()
    link.owner = o
    o.link = link
    touch(o)
}

@inline(never) func parameterisedArgument() {
    let o = KeeperOwner()
    o.boxed = Keeper()
    o.boxed?.owner = o
    touch(o)
}
@inline(never) func labelledTuple() {
    let o = KeeperOwner()
    o.pairs.append((left: Part(), right: Part(o)))
    touch(o)
}

let cases: Cases = [
    "parameterised-argument": parameterisedArgument, "labelled-tuple": labelledTuple,
    "inline-struct": inlineStruct, "boxed-struct": boxedStruct, "inline-class": inlineClass,
    "class-bound": classBound, "composition": composition, "any": any, "any-struct": anyStruct,
    "any-optional": anyOptional, "any-object": anyObject, "error-struct": errorStruct, "error-class": errorClass,
    "error-enum": errorEnum, "in-array": inArray, "any-array": anyArray, "any-dictionary": anyDictionary,
    "subclass-existential": subclassExistential, "any-hashable": anyHashable, "parameterised": parameterised,
    "parameterised-array": parameterisedArray, "parameterised-class": parameterisedClass,
]
