// Cycles through the storage of collections, and cycles that are many or long.
import Foundation

@main enum Program {
    static func main() { run(cases) }
}

final class ArrayOwner: Owner { var parts: [Part] = [] }
struct Slot {
    var name = "slot"
    var part: Part?
}
final class StructArrayOwner: Owner { var slots: [Slot] = [] }
final class OptionalArrayOwner: Owner { var parts: [Part?] = [] }
final class TupleArrayOwner: Owner { var pairs: [(Int, Part)] = [] }
final class ContiguousOwner: Owner { var parts: ContiguousArray<Part> = [] }
final class SliceOwner: Owner { var slice: ArraySlice<Part> = [] }
final class NestedArrayOwner: Owner { var rows: [[Part]] = [] }
final class DictionaryValueOwner: Owner { var parts: [String: Part] = [:] }
final class DictionaryIntOwner: Owner { var parts: [Int: Part] = [:] }
final class DictionaryKeyOwner: Owner { var numbers: [Key: Int] = [:] }
final class DictionaryArrayOwner: Owner { var groups: [String: [Part]] = [:] }
final class EnumKeyOwner: Owner { var parts: [Place: Part] = [:] }
final class SetOwner: Owner { var keys: Set<Key> = [] }
final class CollectionOfOneOwner: Owner { var one: CollectionOfOne<Part?> = CollectionOfOne(nil) }
final class LazyMapOwner: Owner { var view: LazyMapSequence<[Part], Int>? }

enum Place: Hashable {
    case field(Int)
    case named(String)
    case nowhere
}

final class Key: Hashable {
    var number = 3
    var owner: Owner?
    init(_ owner: Owner?) { self.owner = owner }
    static func == (a: Key, b: Key) -> Bool { a === b }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

final class Node {
    var number: Int
    var next: Node?
    init(_ number: Int) { self.number = number }
}
final class Twin {
    var number = 1
    var other: Twin?
}
final class Link {
    var number: Int
    var next: Link?
    var previous: Link?
    init(_ number: Int) { self.number = number }
}
final class Branch {
    var number = 1
    var children: [Branch] = []
    var parent: Branch?
}

final class Buffer: ManagedBuffer<Int, Part?> {
    deinit { _ = withUnsafeMutablePointers { $1.deinitialize(count: $0.pointee) } }
}
struct Shelf {
    var count = 2
    var name = "a shelf"
}
struct Hook {
    var number = 1
    var part: Part?
}
/// Has a header of several words and few elements.
final class HookBuffer: ManagedBuffer<Shelf, Hook> {
    deinit { _ = withUnsafeMutablePointers { $1.deinitialize(count: $0.pointee.count) } }
}
final class HookOwner: Owner { var hooks: ManagedBuffer<Shelf, Hook>? }
final class BufferOwner: Owner { var buffer: ManagedBuffer<Int, Part?>? }
final class PointerOwner: Owner {
    var storage = UnsafeMutablePointer<Part>.allocate(capacity: 4)
    var count = 0
    deinit {
        storage.deinitialize(count: count)
        storage.deallocate()
    }
}

@inline(never) func array() {
    let o = ArrayOwner()
    o.parts = [Part(), Part(o), Part()]
    touch(o)
}
@inline(never) func arrayOfStructs() {
    let o = StructArrayOwner()
    o.slots = [Slot(), Slot(part: Part(o))]
    touch(o)
}
@inline(never) func arrayOfOptionals() {
    let o = OptionalArrayOwner()
    o.parts = [nil, nil, Part(o)]
    touch(o)
}
@inline(never) func arrayOfTuples() {
    let o = TupleArrayOwner()
    o.pairs = [(1, Part()), (2, Part(o))]
    touch(o)
}
@inline(never) func contiguous() {
    let o = ContiguousOwner()
    o.parts.append(Part(o))
    touch(o)
}
@inline(never) func slice() {
    let o = SliceOwner()
    o.slice = [Part(), Part(o), Part()][1...]
    touch(o)
}
@inline(never) func nestedArray() {
    let o = NestedArrayOwner()
    o.rows = [[Part()], [Part(), Part(o)]]
    touch(o)
}
@inline(never) func dictionaryValue() {
    let o = DictionaryValueOwner()
    o.parts["first"] = Part(o)
    touch(o)
}
@inline(never) func dictionaryInt() {
    let o = DictionaryIntOwner()
    o.parts[42] = Part(o)
    touch(o)
}
@inline(never) func dictionaryKey() {
    let o = DictionaryKeyOwner()
    o.numbers[Key(o)] = 1
    touch(o)
}
@inline(never) func dictionaryArray() {
    let o = DictionaryArrayOwner()
    o.groups["a"] = [Part(o)]
    touch(o)
}
@inline(never) func dictionaryEnumKey() {
    let o = EnumKeyOwner()
    o.parts[.named(String(repeating: "far away ", count: 4))] = Part(o)
    o.parts[.nowhere] = Part()
    touch(o)
}
@inline(never) func setElement() {
    let o = SetOwner()
    o.keys.insert(Key(o))
    touch(o)
}
@inline(never) func collectionOfOne() {
    let o = CollectionOfOneOwner()
    o.one[0] = Part(o)
    touch(o)
}
@inline(never) func lazyMap() {
    let o = LazyMapOwner()
    o.view = [Part(o)].lazy.map { $0.number }
    touch(o)
}

/// An array grown one by one fills its storage to the last byte that malloc gave, beyond what was asked for.
@inline(never) func lastElement() {
    let o = ArrayOwner()
    while o.parts.count < 7 || o.parts.count < o.parts.capacity { o.parts.append(Part()) }
    o.parts[o.parts.count - 1] = Part(o)
    touch(o)
}

@inline(never) func ring() {
    let first = Node(0)
    var last = first
    for number in 1..<1_000 {
        let node = Node(number)
        last.next = node
        last = node
    }
    last.next = first
    touch(first)
}

@inline(never) func makeTwins() {
    let a = Twin()
    let b = Twin()
    a.other = b
    b.other = a
    touch(a)
}
@inline(never) func manyCycles() { for _ in 0..<10_000 { makeTwins() } }

@inline(never) func doublyLinked() {
    let first = Link(0)
    var last = first
    for number in 1..<20 {
        let link = Link(number)
        link.previous = last
        last.next = link
        last = link
    }
    touch(first)
}

@inline(never) func strongParent() {
    let root = Branch()
    for _ in 0..<3 {
        let branch = Branch()
        branch.parent = root
        root.children.append(branch)
        for _ in 0..<2 {
            let leaf = Branch()
            leaf.parent = branch
            branch.children.append(leaf)
        }
    }
    touch(root)
}

@inline(never) func managedBuffer() {
    let o = BufferOwner()
    let buffer = Buffer.create(minimumCapacity: 3) { _ in 3 }
    buffer.withUnsafeMutablePointerToElements {
        $0.initialize(to: nil)
        ($0 + 1).initialize(to: Part(o))
        ($0 + 2).initialize(to: nil)
    }
    o.buffer = buffer
    touch(o)
}

@inline(never) func hookBuffer() {
    let o = HookOwner()
    let buffer = HookBuffer.create(minimumCapacity: 1) { _ in Shelf(count: 1) }
    buffer.withUnsafeMutablePointerToElements { $0.initialize(to: Hook(part: Part(o))) }
    o.hooks = buffer
    touch(o)
}

@inline(never) func pointerBuffer() {
    let o = PointerOwner()
    o.storage.initialize(to: Part())
    (o.storage + 1).initialize(to: Part(o))
    o.count = 2
    touch(o)
}

let cases: Cases = [
    "array": array, "struct-array": arrayOfStructs, "optional-array": arrayOfOptionals, "tuple-array": arrayOfTuples,
    "contiguous": contiguous, "slice": slice, "nested-array": nestedArray, "dictionary-value": dictionaryValue,
    "dictionary-int": dictionaryInt, "dictionary-key": dictionaryKey, "dictionary-array": dictionaryArray,
    "dictionary-enum-key": dictionaryEnumKey, "set": setElement, "collection-of-one": collectionOfOne,
    "lazy-map": lazyMap, "last-element": lastElement, "ring": ring, "many": manyCycles,
    "doubly-linked": doublyLinked, "strong-parent": strongParent, "managed-buffer": managedBuffer,
    "hook-buffer": hookBuffer,
    "pointer-buffer": pointerBuffer,
]
