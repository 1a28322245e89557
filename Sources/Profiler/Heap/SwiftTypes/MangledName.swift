import GameprofTrace

/// The demangler of stored types: a stack machine over the postfix grammar of Swift's mangling (docs/ABI/Mangling.rst), with
/// symbolic references. What it does not know makes the type unknown.
struct MangledName {
    private enum Item {
        case type(StoredType)
        case identifier(String)
        case module(String)
        /// An empty list.
        case empty
        /// The item before it is the first of a list.
        case first
        /// An existential with generic arguments, which follow.
        case shape(StoredType.Existential)
        /// An attribute of a function type.
        case note
    }

    private struct Failure: Error {}

    private static let (stackLimit, lengthLimit) = (48, 4096)

    private let memory: MemoryImage
    private let environment: GenericEnvironment
    private let begin: UInt64
    private let bytes: [UInt8]
    private var next = 0
    private var stack: [Item] = []
    private var substitutions: [Item] = []

    /// The type whose mangled name stands at `address`.
    static func type(at address: UInt64, in memory: MemoryImage, _ environment: GenericEnvironment) -> StoredType {
        guard let bytes = bytes(at: address, memory) else { return .unknown }
        if endsWithBox(bytes) { return .box }
        var name = MangledName(memory: memory, environment: environment, begin: address, bytes: bytes)
        do {
            try name.parse()
            guard name.stack.count == 1, case .type(let type) = name.stack[0] else { return .unknown }
            return type
        } catch {
            return .unknown
        }
    }

    /// Whether the declared type is a generic parameter of the declaration that may stand for other types than classes, or
    /// one of its associated types, optional or not.
    static func isParameter(at address: UInt64, of declaration: ContextDescriptor) -> Bool {
        guard var bytes = bytes(at: address, declaration.memory) else { return false }
        while bytes.count > 2, bytes.suffix(2).elementsEqual("Sg".utf8) { bytes.removeLast(2) }
        if bytes.count > 2, bytes.suffix(2).elementsEqual("Qz".utf8) { return true }
        let isNumbered = bytes.first == UInt8(ascii: "q") && bytes.last == UInt8(ascii: "_")
        return (isNumbered || bytes == [UInt8(ascii: "x")]) && !declaration.requiresClass(bytes)
    }

    private init(memory: MemoryImage, environment: GenericEnvironment, begin: UInt64, bytes: [UInt8]) {
        (self.memory, self.environment, self.begin, self.bytes) = (memory, environment, begin, bytes)
    }

    private static func width(_ byte: UInt8) -> Int { byte < 0x18 ? 5 : byte < 0x20 ? 9 : 1 }

    /// Symbolic references may contain zeros.
    private static func bytes(at address: UInt64, _ memory: MemoryImage) -> [UInt8]? {
        guard address != 0, let (start, count) = memory.piece(at: address) else { return nil }
        let buffer = UnsafeRawBufferPointer(start: start, count: Int(min(count, UInt64(lengthLimit))))
        var end = 0
        while end < buffer.count, buffer[end] != 0 { end += width(buffer[end]) }
        return end < buffer.count ? Array(buffer[..<end]) : nil
    }

    private static func endsWithBox(_ bytes: [UInt8]) -> Bool {
        var (at, plain) = (0, 0)
        while at < bytes.count {
            let isReference = bytes[at] < 0x20
            at += width(bytes[at])
            if isReference { plain = at }
        }
        guard bytes.count - plain >= 2 else { return false }
        return bytes.suffix(2).elementsEqual("Xx".utf8) || bytes.suffix(2).elementsEqual("XX".utf8)
    }

    // MARK: - Cursor and stack

    private mutating func byte() throws -> UInt8 {
        guard next < bytes.count else { throw Failure() }
        next += 1
        return bytes[next - 1]
    }

    private mutating func letter() throws -> Character { Character(UnicodeScalar(try byte())) }

    private mutating func nextIs(_ letter: Character) -> Bool {
        guard next < bytes.count, bytes[next] == letter.asciiValue else { return false }
        next += 1
        return true
    }

    private func peek() -> Character? { next < bytes.count ? Character(UnicodeScalar(bytes[next])) : nil }

    private mutating func natural() -> Int {
        var number = 0
        while next < bytes.count, bytes[next] >= 48, bytes[next] <= 57, number < 1 << 24 {
            number = number * 10 + Int(bytes[next] - 48)
            next += 1
        }
        return number
    }

    /// `_` is 0, `0_` is 1, `1_` is 2 …
    private mutating func index() throws -> Int {
        if nextIs("_") { return 0 }
        let number = natural() + 1
        guard nextIs("_") else { throw Failure() }
        return number
    }

    private mutating func push(_ item: Item) throws {
        guard stack.count < Self.stackLimit else { throw Failure() }
        stack.append(item)
    }

    private mutating func push(_ type: StoredType) throws { try push(.type(type)) }

    /// What was pushed last may be abbreviated later in the name.
    private mutating func remember() { if let last = stack.last { substitutions.append(last) } }

    private mutating func popType() -> StoredType? {
        guard case .type(let type)? = stack.last else { return nil }
        stack.removeLast()
        return type
    }

    private mutating func needType() throws -> StoredType {
        guard let type = popType() else { throw Failure() }
        return type
    }

    private mutating func popIdentifier() -> String? {
        guard case .identifier(let text)? = stack.last else { return nil }
        stack.removeLast()
        return text
    }

    private mutating func popEmpty() -> Bool {
        guard case .empty? = stack.last else { return false }
        stack.removeLast()
        return true
    }

    private mutating func popFirst() -> Bool {
        guard case .first? = stack.last else { return false }
        stack.removeLast()
        return true
    }

    private mutating func popNote() -> Bool {
        guard case .note? = stack.last else { return false }
        stack.removeLast()
        return true
    }

    // MARK: - Operators

    private mutating func parse() throws {
        while next < bytes.count {
            let byte = try byte()
            switch byte {
            case 0..<0x20: try symbolicReference(byte)
            case 48...57:
                next -= 1
                try identifier()
            default: try operate(Character(UnicodeScalar(byte)))
            }
        }
    }

    private mutating func operate(_ letter: Character) throws {
        switch letter {
        case "S": try standardSubstitution()
        case "s": try push(.module("Swift"))
        case "A": try substitution()
        case "y": try push(.empty)
        case "_": try push(.first)
        case "t": try tuple()
        case "G": try boundGeneric()
        case "x": try push(environment.argument(depth: 0, index: 0))
        case "q": try parameterByIndex()
        case "Q": try dependentMember()
        case "R": try requirement()
        case "r": while !nextIs("l") { try skipParameter() }
        case "V", "O", "C", "P", "a": try namedType(letter.asciiValue ?? 0)
        case "B": try builtin()
        case "$":
            guard !nextIs("n") else { throw Failure() }
            try push(.integer(UInt64(try index())))
        case "m":
            _ = try needType()
            try push(.metatype)
        case "p": try push(.existential(try protocols()))
        case "c": try function(.function)
        case "I": try loweredFunction()
        case "X": try special()
        case "Y": try annotation()
        case "K": try push(.note)
        case "l", "z", "h", "n", "d": break
        default: throw Failure()
        }
    }

    private mutating func special() throws {
        switch try letter() {
        case "w": try push(.storage(.weak, try needType()))
        case "o": try push(.storage(.unowned, try needType()))
        case "u": try push(.storage(.unmanaged, try needType()))
        case "E", "A", "K": try function(.function)
        case "C", "f": try function(.thinFunction)
        case "p": try existentialMetatype()
        case "j":
            while popType() != nil {}
            guard case .shape(let existential)? = stack.popLast() else { throw Failure() }
            try push(.existential(existential))
        case "l": try classExistential()
        case "c":
            _ = try needType()
            try classExistential()
        case "b":
            _ = popType()
            try push(.box)
        case "M":
            _ = try byte()
            _ = try needType()
            try push(.metatype)
        case "m":
            _ = try byte()
            try existentialMetatype()
        default: throw Failure()
        }
    }

    private mutating func existentialMetatype() throws {
        guard case .existential(let existential) = try needType() else { throw Failure() }
        try push(.existentialMetatype(witnesses: existential.witnesses))
    }

    private mutating func classExistential() throws {
        var existential = try protocols()
        existential.isClassBound = true
        try push(.existential(existential))
    }

    private mutating func builtin() throws {
        let letter = try byte()
        guard letter != UInt8(ascii: "v"), letter != UInt8(ascii: "V") else { throw Failure() }
        var bits: UInt32 = 0
        if letter == UInt8(ascii: "i") || letter == UInt8(ascii: "f") {
            bits = UInt32(natural())
            _ = nextIs("_")
        }
        try push(.builtin(letter, bits: bits))
    }

    private mutating func tuple() throws {
        var elements: [(label: String, type: StoredType)] = []
        if !popEmpty() {
            var isFirst = false
            while !isFirst {
                isFirst = popFirst()
                let label = popIdentifier() ?? ""
                elements.append((label, try needType()))
            }
        }
        try push(.tuple(elements.reversed()))
    }

    // MARK: - Names

    private mutating func symbolicReference(_ kind: UInt8) throws {
        let at = begin + UInt64(next)
        next += Self.width(kind) - 1
        guard next <= bytes.count, let target = memory.relative(at) else { throw Failure() }
        switch kind {
        case 1: try context(target)
        case 2:
            guard let pointee = memory.word(target) else { throw Failure() }
            try context(pointee)
        case 10, 11:
            guard let shape = ExistentialShape(memory, kind == 10 ? target : target + 4) else { throw Failure() }
            try push(
                .shape(StoredType.Existential(isClassBound: shape.form == .classBound, witnesses: shape.witnesses)))
        default: throw Failure()
        }
    }

    private mutating func context(_ address: UInt64) throws {
        guard let descriptor = ContextDescriptor(memory, address) else { throw Failure() }
        if descriptor.kind == .protocol {
            try push(
                .proto(
                    StoredType.Existential(
                        isClassBound: descriptor.isClassBound, isError: descriptor.isNamed("Error", in: "Swift"),
                        witnesses: 1)))
        } else {
            guard descriptor.isType, let name = descriptor.name, let module = descriptor.module else { throw Failure() }
            try push(.nominal(StoredType.Nominal(descriptor: descriptor, name: name, module: module)))
        }
        remember()
    }

    /// What is encoded (`00`: of a raw identifier, or with other letters than ASCII) or abbreviated by words of earlier
    /// identifiers (`0`; a capital is the last of them) has no text here.
    private mutating func identifier() throws {
        let isPlain = !nextIs("0")
        let isEncoded = !isPlain && nextIs("0")
        var hasWords = !isPlain && !isEncoded
        var text = ""
        repeat {
            while hasWords, let letter = peek(), letter.isLetter, letter.isASCII {
                hasWords = letter.isLowercase
                next += 1
            }
            if nextIs("0") { break }
            let length = natural()
            if isEncoded { _ = nextIs("_") }
            guard length > 0, length < 1024, length <= bytes.count - next else { throw Failure() }
            if isPlain { text = String(decoding: bytes[next..<next + length], as: UTF8.self) }
            next += length
        } while hasWords
        try push(.identifier(text))
        remember()
    }

    private mutating func namedType(_ letter: UInt8) throws {
        guard let name = popIdentifier(), !name.isEmpty, let around = stack.popLast() else { throw Failure() }
        let module: String
        switch around {
        case .identifier(""): throw Failure()
        case .module(let text), .identifier(let text): module = text
        case .type(.nominal(let outer)): module = outer.module
        default: module = ""
        }
        try push(
            letter == UInt8(ascii: "P")
                ? .proto(StoredType.Existential(witnesses: 1))
                : .nominal(StoredType.Nominal(letter: letter, name: name, module: module)))
        remember()
    }

    private mutating func popArguments() throws -> [StoredType] {
        var result: [StoredType] = []
        while true {
            while let argument = popType() { result.append(argument) }
            if popEmpty() { return result.reversed() }
            guard popFirst() else { throw Failure() }
        }
    }

    private mutating func boundGeneric() throws {
        let arguments = try popArguments()
        guard case .nominal(var nominal) = try needType() else { throw Failure() }
        nominal.arguments = arguments
        try push(.nominal(nominal))
        remember()
    }

    private mutating func standardSubstitution() throws {
        let count = natural()
        let letter = try letter()
        switch letter {
        case "g":
            let wrapped = try needType()
            try push(
                .nominal(
                    StoredType.Nominal(
                        letter: UInt8(ascii: "O"), name: "Optional", module: "Swift", arguments: [wrapped])))
            remember()
        case "o": try push(.module("__C"))
        case "C": try push(.module("__C_Synthesized"))
        case "c": try standard(StandardNames.concurrency(try self.letter()), count)
        default: try standard(StandardNames.swift(letter), count)
        }
    }

    private mutating func standard(_ type: StoredType?, _ count: Int) throws {
        guard let type, count <= Self.stackLimit else { throw Failure() }
        for _ in 0..<max(count, 1) { try push(type) }
    }

    /// Lower-case letters (more follow) and an upper-case one (the last), each with an optional repeat count.
    private mutating func substitution() throws {
        var count = 0
        while true {
            let letter = try byte()
            var number: Int
            var isLast = true
            switch letter {
            case UInt8(ascii: "a")...UInt8(ascii: "z"):
                number = Int(letter - UInt8(ascii: "a"))
                isLast = false
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): number = Int(letter - UInt8(ascii: "A"))
            case UInt8(ascii: "_"):
                number = count + 27
                count = 0
            case 48...57:
                next -= 1
                count = natural()
                continue
            default: throw Failure()
            }
            guard number < substitutions.count, count <= Self.stackLimit else { throw Failure() }
            for _ in 0..<max(count, 1) { try push(substitutions[number]) }
            count = 0
            if isLast { return }
        }
    }

    // MARK: - Generic parameters

    private mutating func parameterByIndex() throws {
        if nextIs("d") {
            let depth = try index() + 1
            try push(environment.argument(depth: depth, index: try index()))
        } else if nextIs("z") {
            try push(environment.argument(depth: 0, index: 0))
        } else {
            try push(environment.argument(depth: 0, index: try index() + 1))
        }
    }

    private mutating func skipParameter() throws {
        if nextIs("d") {
            _ = try index()
            _ = try index()
        } else if !nextIs("z") {
            _ = try index()
        }
    }

    private mutating func requirement() throws {
        switch try letter() {
        case "i":
            _ = try index()
            try skipParameter()
        case "l":
            try skipParameter()
            guard "URNCDTB".contains(try letter()) else { throw Failure() }
        default: throw Failure()
        }
    }

    /// An associated type: only the runtime could say which. Or the expansion of a pack.
    private mutating func dependentMember() throws {
        switch try letter() {
        case "p":
            _ = try needType()
            _ = try needType()
            try push(.unknown)
            return
        case "y": _ = try index()
        case "z": break
        default: throw Failure()
        }
        _ = popType()
        guard popIdentifier() != nil else { throw Failure() }
        try push(.unknown)
        remember()
    }

    // MARK: - Existentials

    private mutating func protocols() throws -> StoredType.Existential {
        var result = StoredType.Existential()
        if popEmpty() { return result }
        var count = 0
        var isFirst = false
        while !isFirst {
            isFirst = popFirst()
            try add(to: &result)
            count += 1
        }
        result.isError = result.isError && count == 1
        return result
    }

    private mutating func add(to existential: inout StoredType.Existential) throws {
        if let type = popType() {
            guard case .proto(let proto) = type else { throw Failure() }
            existential.isClassBound = existential.isClassBound || proto.isClassBound
            existential.isError = existential.isError || proto.isError
            existential.witnesses += proto.witnesses
            return
        }
        // Whether a protocol is class-bound its name alone says only of the standard library's.
        guard let name = popIdentifier(), !name.isEmpty, case .module("Swift")? = stack.popLast() else {
            throw Failure()
        }
        if name == "Error" { existential.isError = true }
        let isMarker = ["Sendable", "Copyable", "Escapable", "BitwiseCopyable"].contains(name)
        existential.witnesses += isMarker ? 0 : 1
    }

    // MARK: - Functions

    private mutating func function(_ type: StoredType) throws {
        while popNote() {}
        for _ in 0..<2 where !popEmpty() { _ = try needType() }
        try push(type)
    }

    private mutating func annotation() throws {
        let letter = try letter()
        guard "cKabATCjiukt".contains(letter) else { throw Failure() }
        if "iukt".contains(letter) { return }
        if letter == "c" || letter == "K" { _ = popType() }
        if letter == "j" { _ = try byte() }
        try push(.note)
    }

    private mutating func skip(_ letters: String) { while let next = peek(), letters.contains(next) { self.next += 1 } }

    private mutating func conventions(_ letters: String, _ attributes: String) -> Int {
        var count = 0
        while let next = peek(), letters.contains(next) {
            self.next += 1
            count += 1
            skip(attributes)
        }
        return count
    }

    /// I [generic] [escaping, isolation] callee [convention, coroutine, sendable, async] parameter* result* (Y yield)* [z error] _
    private mutating func loweredFunction() throws {
        let isSubstituted = nextIs("s")
        let hasInvocation = nextIs("I")
        var kind = StoredType.unknown
        let types = loweredTypes(&kind)
        if let types {
            let saved = stack
            var isComplete = !(isSubstituted || hasInvocation) || (try? popArguments()) != nil
            for _ in 0..<types where isComplete { isComplete = popType() != nil }
            if isComplete { return try push(kind) }
            stack = saved
        }
        // One that is not understood is known only where it is the whole name, or all but an optional around it, which has the
        // same layout.
        guard bytes.last == UInt8(ascii: "_") || bytes.suffix(3).elementsEqual("_Sg".utf8) else { throw Failure() }
        next = bytes.count
        stack = []
        try push(kind)
    }

    /// How many types in front of it are its own; nil: it says something that is not known here.
    private mutating func loweredTypes(_ kind: inout StoredType) -> Int? {
        skip("PeAdlr")
        if nextIs("t") {
            kind = .thinFunction
        } else {
            guard nextIs("g") || nextIs("x") || nextIs("y"), !(peek().map { "zCB".contains($0) } ?? false) else {
                return nil
            }
            kind = .function
        }
        skip("CMOKW")
        skip("AIG")
        skip("hHT")
        var types = conventions("iclbnXxgeyvpm", "wTIL")
        types += conventions("rodualgmk", "w")
        while nextIs("Y") { types += conventions("iclbnXxgeyvpm", "wTIL") }
        if nextIs("z") { types += conventions("rodualgmk", "w") }
        return nextIs("_") ? types : nil
    }
}

/// The standard library's types that mangled names abbreviate (StandardTypesMangling.def).
private enum StandardNames {
    private static let structures: [Character: String] = [
        "A": "AutoreleasingUnsafeMutablePointer", "a": "Array", "b": "Bool", "D": "Dictionary", "d": "Double",
        "f": "Float", "h": "Set", "I": "DefaultIndices", "i": "Int", "J": "Character", "N": "ClosedRange",
        "n": "Range", "O": "ObjectIdentifier", "P": "UnsafePointer", "p": "UnsafeMutablePointer",
        "R": "UnsafeBufferPointer", "r": "UnsafeMutableBufferPointer", "S": "String", "s": "Substring", "u": "UInt",
        "V": "UnsafeRawPointer", "v": "UnsafeMutableRawPointer", "W": "UnsafeRawBufferPointer",
        "w": "UnsafeMutableRawBufferPointer",
    ]
    private static let concurrent: [Character: String] = [
        "C": "CheckedContinuation", "c": "UnsafeContinuation", "E": "CancellationError", "e": "UnownedSerialExecutor",
        "G": "TaskGroup", "g": "ThrowingTaskGroup", "J": "UnownedJob", "P": "TaskPriority", "S": "AsyncStream",
        "s": "AsyncThrowingStream", "T": "Task", "t": "UnsafeCurrentTask",
    ]

    private static func nominal(_ letter: Character, _ name: String) -> StoredType {
        .nominal(StoredType.Nominal(letter: letter.asciiValue ?? 0, name: name, module: "Swift"))
    }

    static func swift(_ letter: Character) -> StoredType? {
        if "BEeFGHjKkLlMmQTtUXxYyZz".contains(letter) { return .proto(StoredType.Existential(witnesses: 1)) }
        if letter == "q" { return nominal("O", "Optional") }
        return structures[letter].map { nominal("V", $0) }
    }

    static func concurrency(_ letter: Character) -> StoredType? {
        // Actor and the executors are classes.
        if "AFfhIi".contains(letter) {
            return .proto(StoredType.Existential(isClassBound: "AFfh".contains(letter), witnesses: 1))
        }
        if letter == "M" { return nominal("C", "MainActor") }
        return concurrent[letter].map { nominal("V", $0) }
    }
}
