/// Makes up Swift types and values of them. It knows which objects each instance holds, and how: the truth that decoders are
/// compared with.
final class TypeGenerator {
    /// A type, and how a value of it is made.
    struct Shape {
        var spelling: String
        var isCopyable = true
        /// A structure or enumeration of the program's own that conforms to its protocols.
        var conforms = false
        /// The associated type `Item`, where it conforms.
        var item: String?
        /// Writes the statements that make a value, and returns its expression.
        var make: (Path) -> String
    }

    /// How a decoder calls the reference that leads to an object: names of properties and cases.
    struct Path {
        var text = ""
        /// Names inside are no longer those of the holder's own reference.
        var isClosed = false
        /// More may follow than the generator knows.
        var isPrefix = false

        func label(_ name: String) -> Path {
            guard !isClosed, !isPrefix else { return self }
            return Path(text: text.isEmpty ? name : text + (name.hasPrefix("[") ? "" : ".") + name)
        }
        var closed: Path { Path(text: text, isClosed: true, isPrefix: isPrefix) }
        var open: Path { Path(text: text, isClosed: isClosed, isPrefix: !isClosed || isPrefix) }
    }

    /// What the decoders have to say of one object that the program made.
    struct Expectation {
        enum Held: String {
            case strong, unowned, weak, unmanaged
            /// By an address that owns nothing, or no longer.
            case loose
        }

        var holder: Int
        var path: Path
        var held: Held
        /// Where it stands, for people.
        var type: String
    }

    /// Whether there are types that only the runtime can tell: noncopyable ones, packs, associated types, metatypes of values.
    let hasOpaque: Bool
    private var state: UInt64
    private let access: String
    private var declarations: [String] = []
    private var statements: [String] = []
    private var functions: [String] = []
    private(set) var expectations: [Expectation] = []
    private(set) var holders: [String] = []
    /// By holder: the cases of its enums.
    private(set) var chosen: [Int: [String]] = [:]
    /// Every type that a value has, as it is spelled.
    private(set) var types: [String] = []
    private var known: Set<String> = []
    private var number = 0
    private var holder = 0
    private var fieldType = ""
    private var isReplaced = false
    private var pool: [Shape] = []
    /// Generic declarations by name, with what makes a value for given arguments.
    private var generics: [(parameters: Int, instantiate: ([Shape]) -> Shape)] = []

    init(seed: UInt64) {
        hasOpaque = seed % 2 == 0
        state = seed &* 0x9e37_79b9_7f4a_7c15 &+ 1
        access = seed % 3 == 0 ? "fileprivate " : ""
    }

    // MARK: - Chance

    private func random() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
        return z ^ z >> 31
    }

    private func below(_ count: Int) -> Int { Int(random() % UInt64(count)) }
    private func chance(_ percent: Int) -> Bool { below(100) < percent }
    private func one<T>(of values: [T]) -> T { values[below(values.count)] }

    private func name(_ prefix: String) -> String {
        number += 1
        return "\(prefix)\(number)"
    }

    // MARK: - Values

    private func value(_ type: String, _ expression: String) -> String {
        let name = name("t")
        if known.insert(type).inserted { types.append(type) }
        statements.append("let \(name): \(type) = \(expression)")
        return name
    }

    private static let leaves = [
        "Leaf", "FinalLeaf", "SubLeaf", "GenericLeaf<Int>", "GenericLeaf<(Int8, Leaf?)>", "PLeaf", "ActorLeaf",
    ]

    private func leaf(_ type: String, _ path: Path, _ held: Expectation.Held = .strong) -> String {
        let id = expectations.count
        let isLoose = isReplaced || held == .loose
        expectations.append(
            Expectation(holder: holder, path: path, held: isLoose ? .loose : held, type: fieldType))
        return value(type, "mk(\(id), \(isLoose || held != .strong)) { \(type)() }")
    }

    private func leafShape(_ type: String) -> Shape { Shape(spelling: type) { self.leaf(type, $0) } }

    private func plain(_ spelling: String, _ expressions: String...) -> Shape {
        Shape(spelling: spelling) { _ in self.value(spelling, self.one(of: expressions)) }
    }

    private func scalar() -> Shape {
        switch below(30) {
        case 0...2: plain("Int", "0", "-1", "77")
        case 3: plain("Int8", "-1", "3")
        case 4: plain("UInt16", "65535", "1")
        case 5: plain("Int32", "5", "-5")
        case 6...7: plain("Bool", "true", "false")
        case 8: plain("Double", "1.5", "-0.0")
        case 9: plain("Float", "1.5")
        case 10...11: plain("String", "\"\"", "\"short\"", "String(repeating: \"long \", count: long)")
        case 12: plain("Character", "\"x\"", "\"👩‍👩‍👧‍👦\"")
        case 13: plain("Void", "()")
        case 14: plain("UInt8", "0", "255")
        case 15: plain("UnsafeRawPointer", "UnsafeRawPointer(somewhere)")
        case 16: plain("UnsafeMutablePointer<Int>", "somewhere")
        case 17: plain("UnsafeBufferPointer<Int>", "UnsafeBufferPointer(start: somewhere, count: 1)")
        case 18: plain("OpaquePointer", "OpaquePointer(somewhere)")
        case 19: plain("ObjectIdentifier", "ObjectIdentifier(Leaf.self)")
        case 20: plain("Range<Int>", "0..<5")
        case 21: plain("Substring", "Substring(String(repeating: \"long \", count: long)).dropFirst()")
        case 22: plain("One", ".only")
        case 23: plain("Two", ".first", ".second")
        case 24: plain("Many", ".c0", ".c299")
        case 25: plain("Unicode.Scalar", "\"a\"")
        case 26: plain("Four", ".a", ".b", ".c", ".d")
        case 27: plain("StaticString", "\"static\"")
        case 28: plain("KeyPath<Leaf, Int>", "\\Leaf.n")
        default: plain("ClosedRange<UInt8>", "1...2")
        }
    }

    private func foundation() -> Shape {
        switch below(16) {
        case 0: plain("Data", "Data()", "Data([1, 2, 3])", "Data(count: 20 * long)")
        case 1: plain("Date", "Date(timeIntervalSince1970: 5)")
        case 2: plain("URL", "URL(filePath: \"/tmp\")")
        case 3: plain("UUID", "UUID()")
        case 4: plain("Decimal", "Decimal(5)")
        case 5: plain("IndexPath", "IndexPath(indexes: [1, 2, 3])", "IndexPath()", "IndexPath(index: 1)")
        case 6: plain("DateComponents", "DateComponents(year: 5)")
        case 7: plain("Locale", "Locale(identifier: \"en\")")
        case 8: plain("CharacterSet", "CharacterSet.letters")
        case 9: plain("IndexSet", "IndexSet(0..<4)")
        case 10: plain("TimeZone", "TimeZone(identifier: \"UTC\")!")
        case 11: plain("Calendar", "Calendar(identifier: .gregorian)")
        case 12: plain("AttributedString", "AttributedString(\"text\")")
        case 13 where hasOpaque: plain("URLComponents", "URLComponents()")
        case 14: plain("NSObject", "NSString(string: String(repeating: \"long \", count: long))")
        default: plain("DateInterval", "DateInterval(start: Date(), duration: 5)")
        }
    }

    private func metatype() -> Shape {
        switch below(9) {
        case 0: plain("Leaf.Type", "Leaf.self", "SubLeaf.self")
        case 1 where hasOpaque: plain("Int.Type", "Int.self")
        case 2: plain("(any P.Type)", "PLeaf.self")
        case 3: plain("Any.Type", "Int.self")
        case 4: plain("AnyClass", "Leaf.self")
        case 5: plain("FinalLeaf.Type", "FinalLeaf.self")
        case 6: plain("(any (P & Q).Type)", "PLeaf.self")
        case 7: plain("(any CP.Type)", "PLeaf.self")
        default: plain("(@convention(c) (Int) -> Int)", "{ $0 + 1 }")
        }
    }

    // MARK: - Types around others

    private func optional(_ inner: Shape) -> Shape {
        let spelling = "Optional<\(inner.spelling)>"
        return Shape(spelling: spelling, isCopyable: inner.isCopyable) { path in
            self.value(spelling, self.chance(35) ? ".none" : ".some(\(inner.make(path)))")
        }
    }

    private func tuple(_ elements: [(label: String, shape: Shape)]) -> Shape {
        let spelling =
            "("
            + elements.map { ($0.label.isEmpty ? "" : "\($0.label): ") + $0.shape.spelling }
            .joined(separator: ", ") + ")"
        return Shape(spelling: spelling) { path in
            let values = elements.enumerated().map { index, element in
                (element.label.isEmpty ? "" : "\(element.label): ")
                    + element.shape.make(path.label(element.label.isEmpty ? "\(index)" : element.label))
            }
            return self.value(spelling, "(\(values.joined(separator: ", ")))")
        }
    }

    private func tuple(_ depth: Int) -> Shape {
        tuple((0..<2 + below(3)).map { (chance(30) ? "e\($0)" : "", copyable(depth)) })
    }

    private func collection(_ element: Shape) -> Shape {
        let type = element.spelling
        let spelling: String
        var (open, key, close) = ("[", "", "]")
        switch below(8) {
        case 0...2: spelling = "Array<\(type)>"
        case 3: spelling = "ContiguousArray<\(type)>"
        case 4: spelling = "Dictionary<Int, \(type)>"
        case 5: spelling = "Dictionary<String, \(type)>"
        case 6: spelling = "ArraySlice<\(type)>"
        default:
            spelling = "Set<FinalLeaf>"
            return Shape(spelling: spelling) { path in
                let values = (0..<self.below(4)).map { _ in self.leaf("FinalLeaf", path.closed) }
                return self.value(spelling, "[\(values.joined(separator: ", "))]")
            }
        }
        return Shape(spelling: spelling) { path in
            (open, close) = ("[", "]")
            var values: [String] = []
            for index in 0..<self.below(4) {
                key = spelling.hasPrefix("Dictionary<I") ? "\(index): " : "\"k\(index)\": "
                values.append((spelling.hasPrefix("D") ? key : "") + element.make(path.closed))
            }
            if values.isEmpty, spelling.hasPrefix("D") { return self.value(spelling, "[:]") }
            return self.value(spelling, open + values.joined(separator: ", ") + close)
        }
    }

    private func inlineArray(_ element: Shape, spelled: String? = nil) -> Shape {
        let count = below(3) + 1
        let spelling = spelled ?? "InlineArray<\(count), \(element.spelling)>"
        return Shape(spelling: spelling) { path in
            let values = (0..<count).map { _ in element.make(path.label("[…]")) }
            return self.value(spelling, "[\(values.joined(separator: ", "))]")
        }
    }

    private func conforming(_ depth: Int) -> Shape {
        let known = pool.filter { $0.conforms && $0.isCopyable }
        if !known.isEmpty, chance(70) { return one(of: known) }
        return leafShape("PLeaf")
    }

    private func existential(_ depth: Int) -> Shape {
        func holding(_ spelling: String, _ inner: @escaping () -> Shape) -> Shape {
            Shape(spelling: "(\(spelling))") { path in
                let shape = inner()
                return self.value("(\(spelling))", shape.make(path.open))
            }
        }
        let fixed = conforming(depth)
        let anything = copyable(depth)
        switch below(14) {
        case 0: return holding("any P") { self.chance(20) ? self.leafShape("PLeaf") : fixed }
        case 1: return holding("any P & Q") { self.chance(20) ? self.leafShape("PLeaf") : fixed }
        case 2: return holding("any CP") { self.leafShape("PLeaf") }
        case 3: return holding("any CP & P") { self.leafShape("PLeaf") }
        case 4: return holding("any P & AnyObject") { self.leafShape("PLeaf") }
        case 5: return holding("any Leaf & P & Q") { self.leafShape("PLeaf") }
        case 6, 7: return holding("Any") { self.chance(20) ? self.scalar() : anything }
        case 8: return holding("AnyObject") { self.leafShape(self.one(of: Self.leaves)) }
        case 9:
            // The error's box, or what is in it.
            return Shape(spelling: "(any Error)") { path in
                self.value("(any Error)", self.conforming(depth).make(path.closed.open))
            }
        case 10: return holding("any P & Sendable") { fixed }
        case 11: return holding("any P & Error") { fixed }
        case 12:
            guard let item = fixed.item else { return holding("any Par") { fixed } }
            return holding("any Par<\(item)>") { fixed }
        default: return holding("any CP & Par") { self.leafShape("PLeaf") }
        }
    }

    private static let functions: [(type: String, head: String, result: String)] = [
        ("() -> Void", "", ""), ("(Int) -> Int", "_ in", "return 1"), ("@Sendable () -> Void", "", ""),
        ("() async -> Void", "", ""), ("() throws -> String", "() throws -> String in", "return \"\""),
        ("(inout Int) -> Void", "(_: inout Int) in", ""), ("@MainActor () -> Void", "", ""),
        ("(any P) -> Any", "_ in", "return 1"), ("(Leaf?, Int...) -> (Int, Leaf?)", "_, _ in", "return (1, nil)"),
        ("() -> (() -> Void)?", "", "return nil"), ("(borrowing Leaf) -> Void", "(_: borrowing Leaf) in", ""),
        ("@isolated(any) @Sendable () async -> Void", "", ""),
    ]

    private func closure(_ depth: Int) -> Shape {
        let (type, head, result) = one(of: Self.functions)
        let captured = (0..<below(4)).map { _ in copyable(depth) }
        return Shape(spelling: "(\(type))") { path in
            let path = path.closed
            if type == "() -> Void" {
                if self.chance(15) { return self.value("(\(type))", "\(self.leaf("SubLeaf", path)).run") }
                if self.hasOpaque, self.chance(25) {
                    let inner = self.copyable(depth).make(path)
                    return self.value("(\(type))", "\(self.one(of: ["wrap", "wrapBoth", "wrapMutable"]))(\(inner))")
                }
            }
            var body: [String] = []
            var list: [String] = []
            for shape in captured {
                switch self.below(8) {
                case 0:
                    let name = self.leaf("Leaf", path, .weak)
                    list.append("weak \(name)")
                    body.append("sink(\(name))")
                case 1:
                    let name = self.leaf("Leaf", path, .unowned)
                    list.append("unowned \(name)")
                    body.append("sink(\(name))")
                case 2:
                    let name = self.name("v")
                    self.statements.append("var \(name): \(shape.spelling) = \(shape.make(path))")
                    body.append("change(&\(name))")
                default: body.append("sink(\(shape.make(path)))")
                }
            }
            let captures = list.isEmpty ? "" : "[\(list.joined(separator: ", "))] "
            let opening = captures + head
            let isPlain = head.isEmpty && !captures.isEmpty
            // A captured variable cannot be one of a closure that may run elsewhere, but for old source.
            let text = "{ \(opening)\(isPlain ? "in" : "")\n \((body + [result]).joined(separator: "\n")) }"
            return self.value("(\(type))", text)
        }
    }

    // MARK: - Any type

    private func copyable(_ depth: Int) -> Shape {
        let shape = any(depth)
        return shape.isCopyable ? shape : optional(leafShape(one(of: Self.leaves)))
    }

    private func any(_ depth: Int) -> Shape {
        if depth <= 0 {
            return chance(60) ? leafShape(one(of: Self.leaves)) : chance(85) ? scalar() : metatype()
        }
        switch below(100) {
        case 0..<10: return leafShape(one(of: Self.leaves))
        case 10..<16: return scalar()
        case 16..<18: return metatype()
        case 18..<21: return foundation()
        case 21..<34: return optional(any(depth - 1))
        case 34..<40: return tuple(depth - 1)
        case 40..<47: return collection(copyable(depth - 1))
        case 47..<50: return inlineArray(copyable(depth - 1))
        case 50..<60: return existential(depth - 1)
        case 60..<67: return closure(depth - 1)
        case 67..<69: return unmanaged()
        case 69..<70: return plain("Tree", ".end")
        case 70..<72: return tree()
        case 72..<80: return generic(depth - 1)
        case 80..<82: return special(depth - 1)
        default: return nominal(depth - 1)
        }
    }

    private func unmanaged() -> Shape {
        switch below(3) {
        case 0:
            return Shape(spelling: "UnsafeRawPointer") { path in
                let object = self.leaf("Leaf", path, .loose)
                return self.value(
                    "UnsafeRawPointer", "UnsafeRawPointer(Unmanaged.passUnretained(\(object)).toOpaque())")
            }
        default:
            return Shape(spelling: "Unmanaged<Leaf>") { path in
                self.value("Unmanaged<Leaf>", "Unmanaged.passUnretained(\(self.leaf("Leaf", path, .unmanaged)))")
            }
        }
    }

    private func tree() -> Shape {
        func make(_ path: Path, _ depth: Int) -> String {
            if depth > 0, chance(60) {
                let left = make(path.label("node").closed, depth - 1)
                return value("Tree", ".node(\(left), \(make(path.label("node").closed, depth - 1)))")
            }
            return value("Tree", chance(80) ? ".leaf(\(leaf("Leaf", path.label("leaf").closed)))" : ".end")
        }
        return Shape(spelling: "Tree") { make($0, 2) }
    }

    /// What has no fields to read, or types that only the runtime can tell.
    private func special(_ depth: Int) -> Shape {
        let inner = copyable(depth)
        switch hasOpaque ? below(5) : 4 {
        case 0:
            let spelling = "Mutex<\(inner.spelling)>"
            return Shape(spelling: spelling, isCopyable: false) { path in
                self.value(spelling, "\(spelling)(\(inner.make(path.open)))")
            }
        case 1:
            return Shape(spelling: "Atomic<Int>", isCopyable: false) { _ in self.value("Atomic<Int>", "Atomic<Int>(5)")
            }
        case 2:
            let other = copyable(depth)
            let spelling = "Packed<\(inner.spelling), \(other.spelling)>"
            return Shape(spelling: spelling) { path in
                let first = inner.make(path.open)
                return self.value(spelling, "Packed(v: (\(first), \(other.make(path.open))))")
            }
        case 3:
            let known = pool.filter { $0.conforms && $0.item != nil && $0.isCopyable }
            guard !known.isEmpty else { return leafShape("Leaf") }
            let shape = one(of: known)
            let spelling = "Associated<\(shape.spelling)>"
            return Shape(spelling: spelling) { path in
                self.value(spelling, "Associated<\(shape.spelling)>(t: \(shape.make(path.label("t").open)))")
            }
        default:
            let spelling = "Vector<2, \(inner.spelling)>"
            return Shape(spelling: spelling) { path in
                let first = inner.make(path.label("items").label("[…]"))
                let second = inner.make(path.label("items").label("[…]"))
                return self.value(
                    spelling, "\(spelling)(items: [\(first), \(second)], more: \(inner.make(path.label("more"))))")
            }
        }
    }

    // MARK: - Declarations

    private struct Field {
        var name: String
        var attribute: String
        var shape: Shape

        init(name: String, attribute: String? = nil, shape: Shape) {
            (self.name, self.shape) = (name, shape)
            // Types of Synchronization cannot change.
            let isFixed = ["Mutex<", "Atomic<"].contains { shape.spelling.hasPrefix($0) }
            self.attribute = attribute ?? (isFixed ? "let" : "var")
        }
    }

    /// A property that refers to an object in another way than strongly.
    private func loose() -> (attribute: String, shape: Shape) {
        func object(_ spelling: String, _ type: String, _ held: Expectation.Held, optional: Bool) -> Shape {
            Shape(spelling: spelling) { path in
                self.value(spelling, optional && self.chance(25) ? "nil" : self.leaf(type, path, held))
            }
        }
        let (type, closed) = chance(25) ? ("PLeaf", "(any CP)") : ("Leaf", "Leaf")
        switch below(6) {
        case 0, 1: return ("weak var", object("\(closed)?", type, .weak, optional: true))
        case 2: return ("unowned let", object(closed, type, .unowned, optional: false))
        case 3: return ("unowned var", object("\(closed)?", type, .unowned, optional: true))
        case 4: return ("unowned(unsafe) var", object("Leaf", "Leaf", .unmanaged, optional: false))
        default: return ("unowned(unsafe) let", object("Leaf?", "Leaf", .unmanaged, optional: true))
        }
    }

    private func fields(_ count: Int, _ depth: Int, mayMove: Bool) -> [Field] {
        (0..<count).map { _ in
            if chance(12) {
                let (attribute, shape) = loose()
                return Field(name: name("f"), attribute: attribute, shape: shape)
            }
            return Field(
                name: name("f"), shape: mayMove ? any(depth) : copyable(depth))
        }
    }

    private func nominal(_ depth: Int) -> Shape {
        if pool.count > 6, chance(50) { return one(of: pool) }
        let shape = chance(45) ? structure(depth) : enumeration(depth)
        pool.append(shape)
        return shape
    }

    private func conformances(_ name: String, _ depth: Int) -> String? {
        let item = copyable(depth - 1)
        // The item's type must not name this one.
        declarations.append(
            "extension \(name): P, Q, Par, Error, @unchecked Sendable { \(access)typealias Item = \(item.spelling) }")
        return item.spelling
    }

    private func structure(_ depth: Int) -> Shape {
        let name = name("S")
        let fields = fields(below(5), depth, mayMove: hasOpaque && chance(15))
        let isCopyable = fields.allSatisfy(\.shape.isCopyable) && !(hasOpaque && chance(8))
        let isNested = chance(15)
        let spelling = isNested ? "Space.\(name)" : name
        let text =
            "\(access)struct \(name)\(isCopyable ? "" : ": ~Copyable") { "
            + fields.map { "\($0.attribute) \($0.name): \($0.shape.spelling)" }.joined(separator: "; ") + " }"
        declarations.append(isNested ? "extension Space { \(text) }" : text)
        var shape = Shape(spelling: spelling, isCopyable: isCopyable) { path in
            let values = fields.map { "\($0.name): \($0.shape.make(path.label($0.name)))" }
            return self.value(spelling, "\(spelling)(\(values.joined(separator: ", ")))")
        }
        if isCopyable, chance(70) {
            shape.conforms = true
            shape.item = conformances(spelling, depth)
        }
        return shape
    }

    private struct Case {
        var name: String
        var isIndirect = false
        var payload: [(label: String, shape: Shape)] = []

        var text: String {
            let values = payload.map { ($0.label.isEmpty ? "" : "\($0.label): ") + $0.shape.spelling }
            return (isIndirect ? "indirect " : "") + "case \(name)"
                + (values.isEmpty ? "" : "(\(values.joined(separator: ", ")))")
        }
    }

    private func make(_ cases: [Case], _ spelling: String, _ path: Path) -> String {
        let one = one(of: cases)
        if !path.isClosed, !path.isPrefix, !isReplaced { chosen[holder, default: []].append(path.label(one.name).text) }
        guard !one.payload.isEmpty else { return value(spelling, "\(spelling).\(one.name)") }
        var inner = path.label(one.name)
        if one.isIndirect { inner = inner.closed }
        let values = one.payload.enumerated().map { index, part in
            var path = inner
            if one.payload.count > 1 {
                path = path.label(part.label.isEmpty ? "\(index)" : part.label)
            } else if !part.label.isEmpty {
                path = path.open
            }
            return (part.label.isEmpty ? "" : "\(part.label): ") + part.shape.make(path)
        }
        return value(spelling, "\(spelling).\(one.name)(\(values.joined(separator: ", ")))")
    }

    private func enumeration(_ depth: Int) -> Shape {
        let name = name("E")
        let mayMove = hasOpaque && chance(15)
        let payloads = one(of: [0, 1, 1, 1, 2, 2, 3, 4, 6])
        let empties = one(of: [0, 0, 1, 1, 2, 3, 5, payloads == 0 ? 1 : 40, payloads == 0 ? 1 : 300])
        var cases: [Case] = []
        for _ in 0..<payloads {
            let count = one(of: [1, 1, 1, 2, 3])
            let payload = (0..<count).map {
                (
                    label: chance(20) ? "l\($0)" : "",
                    shape: mayMove && count == 1 ? any(depth) : copyable(depth)
                )
            }
            cases.append(Case(name: self.name("c"), isIndirect: !mayMove && chance(12), payload: payload))
        }
        for _ in 0..<empties { cases.append(Case(name: self.name("n"))) }
        if cases.isEmpty { cases.append(Case(name: self.name("n"))) }
        let isCopyable = !mayMove || cases.allSatisfy { $0.payload.allSatisfy(\.shape.isCopyable) } && !chance(40)
        declarations.append(
            "\(access)enum \(name)\(isCopyable ? "" : ": ~Copyable") { \(cases.map(\.text).joined(separator: "; ")) }")
        // Empty ones are many: the first and the last, and each that has something in it.
        let chosen = cases.prefix(payloads + 2) + cases.suffix(1)
        var shape = Shape(spelling: name, isCopyable: isCopyable) { self.make(Array(chosen), name, $0) }
        if isCopyable, chance(60) {
            shape.conforms = true
            shape.item = conformances(name, depth)
        }
        return shape
    }

    // MARK: - Generic declarations

    /// A type of a generic declaration: how it is spelled there, and what it is for given arguments.
    private typealias Template = (spelling: String, shape: ([Shape]) -> Shape)

    private func template(_ parameters: Int, _ depth: Int) -> Template {
        let index = below(parameters)
        let letter = ["T", "U"][index]
        switch below(11) {
        case 0...3: return (letter, { $0[index] })
        case 4: return ("Optional<\(letter)>", { self.optional($0[index]) })
        case 5: return ("(\(letter), Int8)", { self.tuple([("", $0[index]), ("", self.plain("Int8", "1"))]) })
        case 6:
            return (
                "Array<\(letter)>",
                { arguments in
                    Shape(spelling: "Array<\(arguments[index].spelling)>") { path in
                        self.value(
                            "Array<\(arguments[index].spelling)>", "[\(arguments[index].make(path.closed))]")
                    }
                }
            )
        case 7:
            return (
                "(() -> \(letter))",
                { arguments in
                    Shape(spelling: "(() -> \(arguments[index].spelling))") { path in
                        let result = arguments[index].make(path.closed)
                        return self.value("(() -> \(arguments[index].spelling))", "{ \(result) }")
                    }
                }
            )
        case 8 where hasOpaque: return ("\(letter).Type", { self.plain("Meta<\($0[index].spelling)>", "same()") })
        default:
            let shape = copyable(depth)
            return (shape.spelling, { _ in shape })
        }
    }

    private func generic(_ depth: Int) -> Shape {
        if generics.isEmpty || chance(35) { generics.append(declareGeneric(depth)) }
        let (parameters, instantiate) = one(of: generics)
        return instantiate((0..<parameters).map { _ in copyable(depth) })
    }

    private func declareGeneric(_ depth: Int) -> (parameters: Int, instantiate: ([Shape]) -> Shape) {
        let parameters = 1 + below(2)
        let list = parameters == 1 ? "<T>" : "<T, U>"
        func spelled(_ name: String, _ arguments: [Shape]) -> String {
            "\(name)<\(arguments.map(\.spelling).joined(separator: ", "))>"
        }
        if chance(50) {
            let fields = (0..<1 + below(4)).map { _ in (name: self.name("g"), template: template(parameters, depth)) }
            let text = fields.map { "var \($0.name): \($0.template.spelling)" }.joined(separator: "; ")
            let isNested = parameters == 2 && chance(40)
            let name = name("G")
            declarations.append(
                isNested
                    ? "\(access)struct \(name)<T> { struct Inner<U> { \(text) } }"
                    : "\(access)struct \(name)\(list) { \(text) }")
            return (
                parameters,
                { arguments in
                    let spelling =
                        isNested
                        ? spelled(name, [arguments[0]]) + ".Inner<\(arguments[1].spelling)>" : spelled(name, arguments)
                    return Shape(spelling: spelling) { path in
                        let values = fields.map {
                            "\($0.name): \($0.template.shape(arguments).make(path.label($0.name)))"
                        }
                        return self.value(spelling, "\(spelling)(\(values.joined(separator: ", ")))")
                    }
                }
            )
        }
        let name = name("GE")
        let parts = (0..<1 + below(4)).map { _ in
            (
                name: self.name("c"), isIndirect: chance(10),
                payload: (0..<one(of: [1, 1, 2])).map { _ in template(parameters, depth) }
            )
        }
        let empty = (0..<below(4)).map { _ in self.name("n") }
        func cases(_ arguments: [Shape]?) -> [Case] {
            parts.map { part in
                Case(
                    name: part.name, isIndirect: part.isIndirect,
                    payload: part.payload.map { template in
                        (
                            "",
                            arguments.map(template.shape)
                                ?? Shape(spelling: template.spelling) { _ in "" }
                        )
                    })
            } + empty.map { Case(name: $0) }
        }
        declarations.append(
            "\(access)enum \(name)\(list) { \(cases(nil).map(\.text).joined(separator: "; ")) }")
        return (
            parameters,
            { arguments in
                let spelling = spelled(name, arguments)
                return Shape(spelling: spelling) { self.make(cases(arguments), spelling, $0) }
            }
        )
    }

    // MARK: - Holders

    private func declareHolder(_ depth: Int) {
        let name = name("H")
        let fields = fields(1 + below(5), depth, mayMove: hasOpaque && chance(25))
        let form = below(10)
        var inherited: [Field] = []
        var base = ""
        if form < 2 {
            inherited = self.fields(1 + below(2), depth, mayMove: false)
            base = self.name("Base")
            declarations.append(Self.classText("\(access)class \(base)", inherited))
        } else if form < 5 {
            let argument = copyable(depth)
            let template = template(1, depth)
            inherited = [
                Field(name: self.name("f"), shape: argument),
                Field(name: self.name("f"), shape: template.shape([argument])),
            ]
            base = self.name("Base")
            let spelled =
                [Field(name: inherited[0].name, shape: Shape(spelling: "T") { _ in "" })]
                + [Field(name: inherited[1].name, shape: Shape(spelling: template.spelling) { _ in "" })]
            declarations.append(Self.classText("\(access)class \(base)<T>", spelled))
            base += "<\(argument.spelling)>"
        }
        let kind = form == 9 ? "actor" : form % 2 == 0 ? "final class" : "class"
        declarations.append(
            Self.classText("\(access)\(kind) \(name)\(base.isEmpty ? "" : ": \(base)")", fields, inherited: inherited))
        for _ in 0..<3 { makeInstance(name, inherited + fields, mayReplace: kind != "actor") }
    }

    private static func classText(_ head: String, _ fields: [Field], inherited: [Field] = []) -> String {
        func parameters(_ fields: [Field]) -> [String] {
            fields.map {
                "_ \($0.name): "
                    + ($0.shape.isCopyable ? escaping($0.shape.spelling) : "consuming \($0.shape.spelling)")
            }
        }
        let properties = fields.map { "\($0.attribute) \($0.name): \($0.shape.spelling)" }
        let sets = fields.map { "self.\($0.name) = \($0.name)" }
        let above = inherited.isEmpty ? "" : "super.init(\(inherited.map(\.name).joined(separator: ", ")))"
        return head + " { \(properties.joined(separator: "; ")); init("
            + parameters(inherited + fields).joined(separator: ", ")
            + ") { \((sets + [above]).filter { !$0.isEmpty }.joined(separator: "; ")) } }"
    }

    /// Parameters of function type are not kept without saying so.
    private static func escaping(_ type: String) -> String {
        var depth = 0
        for (index, letter) in zip(type.indices, type) {
            if letter == "(" { depth += 1 }
            if letter == ")" { depth -= 1 }
            // "(… -> …)": a function in parentheses.
            if letter == "-", depth == 1, type[index...].hasPrefix("->"), type.first == "(", type.last == ")",
                isOneParenthesis(type)
            {
                return "@escaping \(type)"
            }
        }
        return type
    }

    private static func isOneParenthesis(_ type: String) -> Bool {
        var depth = 0
        for letter in type.dropLast() {
            if letter == "(" { depth += 1 }
            if letter == ")" { depth -= 1 }
            if depth == 0 { return false }
        }
        return true
    }

    private func makeInstance(_ type: String, _ fields: [Field], mayReplace: Bool) {
        holder = holders.count
        holders.append(type)
        statements = []
        // A value that is overwritten later leaves its bits behind where the new one does not use them.
        let replaced = Set(
            fields.indices.filter { _ in mayReplace && chance(30) }.filter { fields[$0].attribute == "var" })
        func make(_ index: Int) -> String {
            fieldType = "\(type).\(fields[index].name): \(fields[index].shape.spelling)"
            return fields[index].shape.make(Path().label(fields[index].name))
        }
        var arguments: [String] = []
        for index in fields.indices {
            isReplaced = replaced.contains(index)
            arguments.append(make(index))
        }
        isReplaced = false
        statements.append("let h = \(type)(\(arguments.joined(separator: ", ")))")
        for index in replaced.sorted() { statements.append("h.\(fields[index].name) = \(make(index))") }
        statements.append("holders.append((\(holder), h))")
        functions.append(
            "@inline(never) func build\(holder)() {\n    \(statements.joined(separator: "\n    "))\n}")
    }

    // MARK: - The program

    func program(holders count: Int) -> String {
        for _ in 0..<count { declareHolder(1 + below(3)) }
        return
            ([Self.prelude] + declarations + functions
            + types.enumerated().map { "\(access)typealias Type\($0) = \($1)" }
            + types.indices.map { "note(\($0), Type\($0).self)" } + holders.indices.map { "build\($0)()" } + [
                "finish()"
            ])
            .joined(separator: "\n")
    }

    private static let prelude = """
        import Foundation
        import Glibc
        import Synchronization

        protocol P {}
        protocol Q { }
        protocol CP: AnyObject {}
        protocol Par<Item> { associatedtype Item }
        class Leaf { var n = 1; required init() {}; func run() { sink(self) } }
        class SubLeaf: Leaf { var m = 2 }
        class GenericLeaf<T>: Leaf {}
        final class PLeaf: Leaf, P, Q, CP, Par, Error, @unchecked Sendable { typealias Item = Int }
        final class FinalLeaf: Hashable {
            static func == (left: FinalLeaf, right: FinalLeaf) -> Bool { left === right }
            func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
        }
        actor ActorLeaf {}
        enum Space {}
        enum One { case only }
        enum Two { case first, second }
        enum Four { case a, b, c, d }
        enum Many: Int16 { case \((0..<300).map { "c\($0)" }.joined(separator: ", ")) }
        indirect enum Tree { case leaf(Leaf); case node(Tree, Tree); case end }
        struct Packed<each T> { var v: (repeat each T) }
        struct Associated<T: Par> { var t: T; var item: T.Item? = nil; var more = 5 }
        struct Vector<let n: Int, T> { var items: InlineArray<n, T>; var more: T }

        nonisolated(unsafe) var long = CommandLine.arguments.count * 20
        nonisolated(unsafe) let somewhere = UnsafeMutablePointer<Int>.allocate(capacity: 4)
        nonisolated(unsafe) var kept: [AnyObject] = []
        nonisolated(unsafe) var made: [(Int, UInt)] = []
        nonisolated(unsafe) var holders: [(Int, AnyObject)] = []

        @inline(never) @_optimize(none) func sink<T>(_ x: T) { withExtendedLifetime(x) {} }
        @inline(never) @_optimize(none) func change<T>(_ x: inout T) { withUnsafeMutablePointer(to: &x) { _ in } }
        @inline(never) @_optimize(none) func mk<T: AnyObject>(_ id: Int, _ keep: Bool, _ make: () -> T) -> T {
            let object = make()
            made.append((id, UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())))
            if keep { kept.append(object) }
            return object
        }
        @inline(never) @_optimize(none) func wrap<T>(_ x: T) -> () -> Void { { sink(x) } }
        @inline(never) @_optimize(none) func wrapBoth<T>(_ x: T) -> () -> Void {
            let both: (T, Int, T?) = (x, 1, nil)
            return { sink(both.0); sink(both.1); sink(both.2) }
        }
        @inline(never) @_optimize(none) func wrapMutable<T>(_ x: T) -> () -> Void { var y = x; return { change(&y) } }

        // Of a protocol's existential, too, whose `.Type` would be spelled otherwise.
        typealias Meta<T> = T.Type
        func same<T>() -> T.Type { T.self }
        @inline(never) @_optimize(none) func note<T: ~Copyable>(_ id: Int, _ type: T.Type) {
            print("T", id, String(unsafeBitCast(type, to: UInt.self), radix: 16), MemoryLayout<T>.size)
        }

        func finish() {
            for (id, address) in made { print("L", id, String(address, radix: 16)) }
            for (id, holder) in holders {
                print("H", id, String(UInt(bitPattern: Unmanaged.passUnretained(holder).toOpaque()), radix: 16))
            }
            fflush(stdout)
            print("waiting")
            fflush(stdout)
            _ = readLine()
            withExtendedLifetime(holders) {}
        }

        """
}
