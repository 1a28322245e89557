// Leaks of types, properties, cases and functions with raw identifiers, which hold what separates other names.
protocol `Piece (any)` {}
final class `Board v1.2`: `Piece (any)` {
    var `my peer.x`: `Board v1.2`?
    var `on end -> all`: (() -> Void)?
    var `which <one>`: `Which one.x` = .`0`
    var `pair, of`: (`x y`: AnyObject?, Int) = (nil, 0)
    var `all [of them]` = [AnyObject]()
    var `by name: it`: [String: AnyObject] = [:]
    lazy var `later in.it`: AnyObject? = nil
    @Wrapped var `wrap it.y`: AnyObject? = nil
    var `0`: AnyObject?
    var `any "one"`: (any `Piece (any)`)?
    var number = 0

    @inline(never) func `play the (game) in x`(`how many in`: Int) {
        `on end -> all` = { self.number += `how many in` }
    }
    @inline(never) static func ..< (left: `Board v1.2`, right: Int) {
        left.`on end -> all` = { left.number += right }
    }
}
@propertyWrapper struct Wrapped<Value> {
    var wrappedValue: Value
}
enum `Which one.x` {
    case `0`
    case `first <case> in.it`(AnyObject)
}
final class `Stack<Int> of cards`<Element> {
    var `top.of`: Element?
    final class `Nested, in.it` {
        var `outer in`: AnyObject?
    }
}
extension Array {
    final class `In array.x` {
        var `me.x`: AnyObject?
    }
}
private final class `Hidden one (it)` {
    var `me.x`: `Hidden one (it)`?
}
final class `closure #1 in <script>alert("1")</script>` {
    var `me & 'you'`: AnyObject?
}
final class Plain {
    var peer: Plain?
}

@inline(never) func `make all of v1.2 in one`() {
    func board() -> `Board v1.2` { `Board v1.2`() }
    let (first, second) = (board(), board())
    (first.`my peer.x`, second.`my peer.x`) = (second, first)
    board().`play the (game) in x`(`how many in`: 3)
    board()..<4
    var own = board()
    own.`which <one>` = .`first <case> in.it`(own)
    own = board()
    own.`pair, of`.`x y` = own
    own = board()
    own.`all [of them]` = [own]
    own = board()
    own.`by name: it`["a"] = own
    own = board()
    own.`later in.it` = own
    own = board()
    own.`wrap it.y` = own
    own = board()
    own.`0` = own
    own = board()
    own.`any "one"` = own

    let stack = `Stack<Int> of cards`<AnyObject>()
    stack.`top.of` = stack
    let nested = `Stack<Int> of cards`<`Board v1.2`>.`Nested, in.it`()
    nested.`outer in` = nested
    let inArray = [`Board v1.2`].`In array.x`()
    inArray.`me.x` = inArray
    let hidden = `Hidden one (it)`()
    hidden.`me.x` = hidden
    let script = `closure #1 in <script>alert("1")</script>`()
    script.`me & 'you'` = script
    final class `Local (in) it` {
        var `me.x`: `Local (in) it`?
    }
    let local = `Local (in) it`()
    local.`me.x` = local
    let plain = Plain()
    plain.peer = plain
    touch([stack, nested, inArray, hidden, script, local, plain])
}

@inline(never) func run() { `make all of v1.2 in one`() }

@main struct Main {
    static func main() {
        run()
        print("done")
    }
}
