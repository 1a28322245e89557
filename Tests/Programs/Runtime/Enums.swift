// Enums of every layout the compiler chooses, alone and inside optionals.
import Glibc

typealias Dump = @convention(c) (UnsafeMutableRawPointer) -> Void
let dump: Dump? = dlsym(nil, "runtime_dump").map { unsafeBitCast($0, to: Dump.self) }

@inline(never) func show(_ object: AnyObject) {
    dump?(Unmanaged.passUnretained(object).toOpaque())
    withExtendedLifetime(object) {}
}

final class Card: Shape, Delegate {
    var number = 7
}
protocol Shape {}
protocol Delegate: AnyObject {}
enum Plain { case x, y, z }
struct Weakly { weak var card: Card? }
struct Unowned { unowned let card: Card }
struct Tagged {
    let plain: Plain
    let card: Card
}

enum Strings {
    case a(String)
    case b(String)
    case c(String)
}
enum ClosureOrCard {
    case a(() -> Void)
    case b(Card)
    case c
}
enum StringOrCard {
    case a(String)
    case b(Card)
    case c
}
enum Tables {
    case a([Int])
    case b([Int: Int])
    case c
}
enum Arrays {
    case a([Card])
    case b([Int])
    case c
}
enum Optionals {
    case a(Card?)
    case b(Card?)
    case c
}
enum Errors {
    case a(any Error)
    case b(Card)
    case c
}
enum Delegates {
    case a(any Delegate)
    case b(any Delegate)
    case c
}
enum Shapes {
    case a(any Shape)
    case b(any Shape)
    case c
}
enum Nested {
    case a(Strings)
    case b(Card)
}
enum Pairs {
    case a(Card, Bool)
    case b(Card, Bool)
    case c
}
enum Weaks {
    case a(Weakly)
    case b(Weakly)
}
enum Unowneds {
    case a(Unowned)
    case b(Unowned)
}
enum Many {
    case a(Card, Int32)
    case b(Card, Int32)
    case c, d, e
}
enum Types {
    case a(Card.Type)
    case b(Card)
}
enum Unmanageds {
    case a(Unmanaged<Card>)
    case b(Card)
}
enum Pointers {
    case a(UnsafeRawPointer)
    case b(Card)
}
enum Numbers {
    case a(Int?)
    case b(Card)
}
enum Results {
    case a(Result<Card, any Error>)
    case b(Result<Card, any Error>)
}
enum Generic<T> {
    case a(T)
    case b(Card)
    case c
}
enum Generics {
    case a(Generic<Card>)
    case b(Generic<Card>)
}
enum Tags {
    case a(Tagged)
    case b(Tagged)
}
indirect enum Indirect {
    case a(Int)
    case b(Card)
    case c
}
enum Indirects {
    case a(Indirect)
    case b(Indirect)
}
struct WeakDelegate { weak var delegate: (any Delegate)? }
struct UnownedDelegate { unowned var delegate: any Delegate }
/// A payload that is never held in registers leaves the others' spare bits alone.
enum AddressOnly {
    case a(any Shape, Card)
    case b(Card)
}
enum WeakOrCard {
    case a(WeakDelegate)
    case b(Card)
}
enum UnownedOrCard {
    case a(UnownedDelegate)
    case b(Card)
}
enum MetatypeOrCard {
    case a(any Shape.Type)
    case b(any Shape.Type, Card)
    case c(Card)
}
enum CodeOrCard {
    case a(@convention(c) (Int) -> Int)
    case b(Card)
}
enum Rows {
    case a(InlineArray<2, Card>)
    case b(Card)
}
/// More than 64 bytes.
enum Wide {
    case a(Int, Int, Int, Int, Int, Int, Int, Int, Card)
    case b(Card)
}

/// The value between two fields, so that a wrong size shows; in optionals; and an optional that holds none.
final class Holder<T> {
    var before: Int8 = 1
    var value: T
    var optional: T?
    var twice: T??
    var none: T?
    var after = Card()
    init(_ value: T) {
        self.value = value
        optional = value
        twice = value
    }
}

let card = Card()
func build() {
    show(Holder(Strings.b("long enough for storage \(getpid())")))
    show(Holder(ClosureOrCard.b(card)))
    show(Holder(ClosureOrCard.c))
    show(Holder(StringOrCard.a("abc")))
    show(Holder(StringOrCard.b(card)))
    show(Holder(Tables.b([Int(getpid()): 1])))
    show(Holder(Arrays.a([card])))
    show(Holder(Arrays.c))
    show(Holder(Optionals.a(card)))
    show(Holder(Optionals.b(nil)))
    show(Holder(Errors.b(card)))
    show(Holder(Errors.c))
    show(Holder(Delegates.b(card)))
    show(Holder(Delegates.c))
    show(Holder(Shapes.b(card)))
    show(Holder(Nested.a(.b("abc"))))
    show(Holder(Nested.b(card)))
    show(Holder(Pairs.b(card, true)))
    show(Holder(Weaks.b(Weakly(card: card))))
    show(Holder(Unowneds.b(Unowned(card: card))))
    show(Holder(Many.b(card, -1)))
    show(Holder(Many.e))
    show(Holder(Types.b(card)))
    show(Holder(Unmanageds.a(.passUnretained(card))))
    show(Holder(Unmanageds.b(card)))
    show(Holder(Pointers.b(card)))
    show(Holder(Numbers.b(card)))
    show(Holder(Results.b(.success(card))))
    show(Holder(Generics.b(.a(card))))
    show(Holder(Generics.b(.b(card))))
    show(Holder(Tags.b(Tagged(plain: .y, card: card))))
    show(Holder(Indirects.b(.b(card))))
    show(Holder(Optional<Int>.some(3)))
    show(Holder(WeakDelegate(delegate: card)))
    show(Holder(AddressOnly.a(card, card)))
    show(Holder(AddressOnly.b(card)))
    show(Holder(WeakOrCard.b(card)))
    show(Holder(UnownedOrCard.a(UnownedDelegate(delegate: card))))
    show(Holder(UnownedOrCard.b(card)))
    show(Holder(MetatypeOrCard.b(Card.self, card)))
    show(Holder(CodeOrCard.b(card)))
    show(Holder(Rows.a([card, card])))
    show(Holder(Rows.b(card)))
    show(Holder(Wide.a(1, 2, 3, 4, 5, 6, 7, 8, card)))
    show(Holder(Wide.b(card)))
    show(Holder<InlineArray<2, Card>>([card, card]))
}
build()
