/// A statement, reduced to which object holds which, and in which order.
public indirect enum Statement: Sendable {
    case expression(Expression)
    case variable(Variable)
    case loop(Loop)
    /// `if`, `guard`, `switch`, `do`: one of the branches is taken, or none.
    case choice(Choice)
    case later([Statement])
    case function(Function)
    case leave(Leaving, Expression?)

    public enum Leaving: Sendable { case returns, throwing, breaks, continues }
}

/// A loop.
public struct Loop: Sendable {
    /// Names bound by `for`, or by the conditions of `while`.
    public var names: [String]
    public var sequence: Expression?
    public var conditions: [Condition]
    public var body: [Statement]
    /// `for await`.
    public var isAsync: Bool
    public var position: Int

    public init(
        names: [String], sequence: Expression?, conditions: [Condition], body: [Statement], isAsync: Bool, position: Int
    ) {
        self.names = names
        self.sequence = sequence
        self.conditions = conditions
        self.body = body
        self.isAsync = isAsync
        self.position = position
    }
}

/// Branches of which at most one is taken.
public struct Choice: Sendable {
    public var conditions: [Condition]
    public var subject: Expression?
    public var branches: [[Statement]]
    /// One of the branches is surely taken.
    public var isExhaustive: Bool
    /// The one branch leaves the scope, and the names that the conditions bind are for what follows.
    public var isGuard: Bool
    public var position: Int

    public init(
        conditions: [Condition] = [], subject: Expression? = nil, branches: [[Statement]], isExhaustive: Bool,
        isGuard: Bool = false, position: Int
    ) {
        self.conditions = conditions
        self.subject = subject
        self.branches = branches
        self.isExhaustive = isExhaustive
        self.isGuard = isGuard
        self.position = position
    }
}

/// One part of the condition of `if`, `guard` or `while`.
public enum Condition: Sendable {
    /// `let name = value`; without a value the name binds itself.
    case binding(String, Expression?)
    /// `case .some(let x) = value`.
    case pattern(names: [String], Expression)
    case test(Expression)
}
