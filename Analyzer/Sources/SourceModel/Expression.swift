/// An expression, reduced to which object holds which. `try`, `await`, optional chaining, forced unwrapping and
/// parentheses are seen through. Positions are UTF-8 offsets.
public indirect enum Expression: Sendable {
    case name(String, at: Int)
    /// `base.name`; nil before a leading point.
    case member(Expression?, String, at: Int)
    case call(Call)
    case element(Expression, [Argument], at: Int)
    case closure(Closure)
    /// `=`, or a compound operator: `+=`.
    case assignment(target: Expression, value: Expression, operation: String, at: Int)
    case array([Expression], at: Int)
    case tuple([Argument], at: Int)
    case cast(Expression, TypeReference)
    /// A type with arguments: `Stage<Int, Int>`.
    case type(TypeReference, at: Int)
    /// `if`, `switch` or `do` in the place of a value.
    case block([Statement])
    case keyPath([String], at: Int)
    case literal(Literal)
    /// Operators, interpolations and whatever else has parts. `operation` is empty or names the one operator.
    case other([Expression], operation: String)

    /// Whether it is that closure.
    public func isClosure(_ other: Closure) -> Bool {
        if case .closure(let closure) = self { return closure === other }
        return false
    }

    public enum Literal: Hashable, Sendable {
        case none, yes, no, emptyArray, emptyDictionary
        case number(String)
        /// Nil where it is not one string's: a regular expression.
        case text(String?)
    }
}

/// One argument, or one part of a tuple.
public struct Argument: Sendable {
    public var label: String?
    public var value: Expression
    public var isInout = false
    public var isTrailing = false

    public init(label: String?, value: Expression, isInout: Bool = false, isTrailing: Bool = false) {
        self.label = label
        self.value = value
        self.isInout = isInout
        self.isTrailing = isTrailing
    }
}

/// A call.
public struct Call: Sendable {
    public var callee: Expression
    public var arguments: [Argument]
    /// Of the called name.
    public var position: Int
    /// `try` stands before it.
    public var canThrow = false

    public init(callee: Expression, arguments: [Argument], position: Int) {
        self.callee = callee
        self.arguments = arguments
        self.position = position
    }

    /// The called name: "append" of `list.append(x)`, "Dialog" of `Dialog(…)`.
    public var name: String? {
        switch callee {
        case .name(let name, _), .member(_, let name, _): name
        case .type(let type, _): type.name
        default: nil
        }
    }

    /// What the called member belongs to.
    public var base: Expression? {
        if case .member(let base, _, _) = callee { return base }
        return nil
    }

    public func argument(_ label: String) -> Expression? { arguments.first { $0.label == label }?.value }
}

/// A closure expression. A class, so that it has an identity.
public final class Closure: Sendable {
    public struct Capture: Hashable, Sendable {
        public enum Ownership: String, Hashable, Sendable { case strong, weak, unowned, unownedUnsafe }

        public var name: String
        public var ownership: Ownership
        /// What it captures under that name: `self` of `[owner = self]`; nil: what bears the name.
        public var source: String?
        public var position: Int

        public init(name: String, ownership: Ownership, source: String?, position: Int) {
            self.name = name
            self.ownership = ownership
            self.source = source
            self.position = position
        }
    }

    public let captures: [Capture]
    public let parameters: [String]
    public let body: [Statement]
    public let layout: Layout
    /// Of the opening brace.
    public var position: Int { layout.brace }

    public init(captures: [Capture], parameters: [String], body: [Statement], layout: Layout) {
        self.captures = captures
        self.parameters = parameters
        self.body = body
        self.layout = layout
    }

    /// What an edit needs to know.
    public struct Layout: Hashable, Sendable {
        /// UTF-8 offset of `{`.
        public var brace: Int
        /// Of `[` where a capture list stands.
        public var captureList: Int?
        /// Where parameters, effects or a result type begin, when there is a signature.
        public var signature: Int?
        /// Just behind `in`; nil: there is no signature.
        public var afterIn: Int?
        /// Of the first statement.
        public var firstStatement: Int?
        /// Of `}`.
        public var end: Int
        /// The signature says that a value is returned.
        public var returnsValue: Bool

        public init(
            brace: Int, captureList: Int?, signature: Int?, afterIn: Int?, firstStatement: Int?, end: Int,
            returnsValue: Bool
        ) {
            self.brace = brace
            self.captureList = captureList
            self.signature = signature
            self.afterIn = afterIn
            self.firstStatement = firstStatement
            self.end = end
            self.returnsValue = returnsValue
        }
    }
}
