// Objects of every shape, each printed by the preloaded dump.
import Glibc
import Observation

typealias Dump = @convention(c) (UnsafeMutableRawPointer) -> Void
let dump: Dump? = dlsym(nil, "runtime_dump").map { unsafeBitCast($0, to: Dump.self) }

@inline(never) func show(_ object: AnyObject) {
    dump?(Unmanaged.passUnretained(object).toOpaque())
    withExtendedLifetime(object) {}
}

final class Card {
    var number = 7
}
protocol Shape { var card: Card { get } }
protocol Delegate: AnyObject {}
struct Small: Shape { var card: Card }
struct Large: Shape {
    var card: Card
    var a = 1, b = 2, c = 3, d = 4
}
final class Helper: Delegate {}
final class Both: Shape, Delegate { var card = Card() }
final class Key: Hashable {
    static func == (left: Key, right: Key) -> Bool { left === right }
    func hash(into hasher: inout Hasher) {}
}
struct Failure: Error { var card: Card }
struct Point { var x = 1.0, y = 2.0 }
struct Pair { var left: Card, flag: Bool, right: Card? }
enum State {
    case idle
    case loading(Card)
    case failed(Card, code: Int)
}
enum Side {
    case front(Card)
    case back(Card)
}
enum Mixed {
    case number(Int)
    case card(Card)
    case text(String)
    case none
}
indirect enum Tree {
    case leaf(Card)
    case node(Tree, Tree)
}
enum Handler {
    case run(() -> Void)
    case card(Card)
}

class Base { var inherited = Card() }
class GenericBase<T> {
    var stored: T
    init(_ t: T) { stored = t }
}

final class Derived: Base { var own = Card() }
final class FromGeneric: GenericBase<Card> { var extra: Card? = Card() }
final class Box<T> {
    var count: Int32 = 1
    var value: T
    var last = Card()
    init(_ value: T) { self.value = value }
}
final class Bound<Owner: AnyObject, Other, Part: Base, Watcher: Delegate> {
    var owner: Owner?
    var other: Other
    var part: Part
    var watcher: Watcher?
    init(_ owner: Owner, _ other: Other, _ part: Part, _ watcher: Watcher) {
        (self.owner, self.other, self.part, self.watcher) = (owner, other, part, watcher)
    }
}
struct Wrap<T> {
    var value: T
}
extension Wrap where T == Card {
    final class Nest {
        var inner: Wrap<T>?
        init(_ inner: Wrap<T>) { self.inner = inner }
    }
    final class Keyed<K> {
        var key: K
        init(_ key: K) { self.key = key }
    }
}
final class Two<K: Hashable, V> {
    var map: [K: V]
    var maybe: V?
    var both: (K, V)?
    init(_ map: [K: V], _ both: (K, V)?) {
        self.map = map
        self.both = both
    }
}
@propertyWrapper struct Clamped {
    var wrappedValue: Card
}
final class Plain {
    var card = Card()
    var optional: Card? = Card()
    var empty: Card?
    var number = 3
    var flag = true
    var point = Point()
    var pair = Pair(left: Card(), flag: true, right: Card())
    var tuple: (Card, Int, name: Card) = (Card(), 2, Card())
    lazy var late = Card()
    @Clamped var wrapped = Card()
    var any: Any = Card()
    var object: AnyObject = Card()
    var error: (any Error)? = Failure(card: Card())
}
final class References {
    weak var weakly: Card?
    unowned var unownedCard: Card
    unowned(unsafe) var unsafeCard: Card
    var unmanaged: Unmanaged<Card>
    weak var delegate: (any Delegate)?
    init(_ c: Card, _ d: any Delegate) {
        weakly = c
        unownedCard = c
        unsafeCard = c
        unmanaged = .passUnretained(c)
        delegate = d
    }
}
final class Existentials {
    var small: any Shape = Small(card: Card())
    var large: any Shape = Large(card: Card())
    var delegate: any Delegate = Helper()
    var optional: (any Shape)? = Small(card: Card())
    var nothing: (any Shape)?
    var both: (any Shape & Sendable)?
}
final class Enums {
    var idle = State.idle
    var loading = State.loading(Card())
    var failed = State.failed(Card(), code: 3)
    var front = Side.front(Card())
    var back = Side.back(Card())
    var number = Mixed.number(1)
    var mixed = Mixed.card(Card())
    var text = Mixed.text("a rather long text that needs storage \(getpid())")
    var tree = Tree.node(.leaf(Card()), .leaf(Card()))
    var result: Result<Card, any Error> = .success(Card())
    var failure: Result<Card, any Error> = .failure(Failure(card: Card()))
    var maybe: State? = .loading(Card())
    var deep: Card??? = Card()
}
final class Closures {
    var handler: () -> Void = {}
    var optional: ((Int) -> Int)?
    var kept: Handler = .card(Card())
    var thunk: Any?
    var count: () -> Int = { 0 }
}
final class Collections {
    var cards = [Card(), Card()]
    var pairs = [Pair(left: Card(), flag: false, right: nil)]
    var optionals: [Card?] = [nil, Card()]
    var shapes: [any Shape] = [Small(card: Card())]
    var byName = ["ace": Card()]
    var byNumber = [5: [Card()]]
    var objects: Set<Int> = [1, 2]
    var text = "a rather long text that needs storage \(getpid())"
    var short = "abc"
    var part: Substring = "a rather long text that needs storage \(getpid())".dropFirst()
    var numbers = ContiguousArray((0..<getpid() % 2 + 2).map { $0 })
    var closures: [() -> Void] = []
    var keys: Set<Key> = [Key()]
    var byKey = [Key(): 1]
}
@Observable final class Model {
    var card = Card()
    var other: Card?
}
struct Empty {}
final class WithEmpty {
    var first = Card()
    var empty = Empty()
    var clock = ContinuousClock()
    var last = Card()
}
actor Worker {
    var card = Card()
}
final class Buffer: ManagedBuffer<Card, Card> {}

/// What stands behind these captures is found only when their sizes are known.
final class Contexts {
    var metatype: () -> Void = {}
    var actor: () -> Void = {}
    var code: () -> Void = {}
}
@inline(never) func capture(
    _ type: any (Shape & Delegate).Type, _ actor: (any Actor)?, _ pair: ((@convention(c) (Int) -> Int), Card),
    _ card: Card
) -> Contexts {
    let contexts = Contexts()
    contexts.metatype = { print(type, card.number) }
    contexts.actor = { print(actor as Any, card.number) }
    contexts.code = { print(pair, card.number) }
    return contexts
}

func build() {
    let plain = Plain()
    _ = plain.late
    show(plain)
    let card = Card()
    let helper = Helper()
    show(References(card, helper))
    show(Derived())
    show(FromGeneric(Card()))
    show(Box(Card()))
    show(Box([Card()]))
    show(Box(Pair(left: Card(), flag: true, right: nil)))
    show(Box<Int8>(3))
    show(Box<Card?>(Card()))
    show(Box<any Shape>(Small(card: Card())))
    show(Box((Card(), 5)))
    show(Bound(Card(), Card(), Derived(), Helper()))
    show(Two(["a": Card()], ("b", Card())))
    show(Wrap.Nest(Wrap(value: Card())))
    show(Wrap.Keyed(Card()))
    show(Existentials())
    show(Enums())
    let closures = Closures()
    var captured = Card()
    let number = getpid()
    closures.handler = { [card] in
        captured = card
        print(number == 0 ? "never" : "", terminator: "")
    }
    closures.optional = { [weak closures] in $0 + (closures == nil ? 1 : 0) + Int(number) }
    closures.kept = .run { captured.number += 1 }
    closures.thunk = { [unowned card] in card.number += Int(number) } as () -> Void
    closures.count = { [captured] in captured.number }
    show(closures)
    show(capture(Both.self, Worker(), ({ $0 }, Card()), Card()))
    show(card)
    let collections = Collections()
    collections.closures.append { print(card.number, number) }
    show(collections)
    show(Model())
    show(WithEmpty())
    show(Worker())
    show(Buffer.create(minimumCapacity: 4) { _ in Card() })
    withExtendedLifetime((card, helper, captured)) {}
}
build()
