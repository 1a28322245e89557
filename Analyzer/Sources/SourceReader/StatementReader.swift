import GameprofBasics
import SourceModel
import SwiftSyntax

extension TreeReader {
    func statements(_ items: CodeBlockItemListSyntax) -> [Statement] { items.flatMap(statements) }

    /// Most items are one statement; declarations of several names are several, `#if` is what stands inside.
    func statements(_ item: CodeBlockItemSyntax) -> [Statement] {
        deeper([]) {
            switch item.item {
            case .decl(let declaration): return self.declaration(declaration)
            case .stmt(let statement): return self.statement(statement).map { [$0] } ?? []
            case .expr(let expression): return [self.expressionStatement(expression)]
            }
        }
    }

    private func declaration(_ declaration: DeclSyntax) -> [Statement] {
        switch declaration.as(DeclSyntaxEnum.self) {
        case .variableDecl(let variable):
            return tupleValues(variable).map { .expression($0) } + variables(variable).map { .variable($0) }
        case .functionDecl(let function): return [.function(self.function(function))]
        case .ifConfigDecl(let configuration):
            return CompilationCondition.clauses(configuration).flatMap { clause -> [Statement] in
                if case .statements(let items) = clause.elements { return statements(items) }
                return []
            }
        default:
            typeDeclaration(declaration)
            return []
        }
    }

    private func statement(_ statement: StmtSyntax) -> Statement? {
        switch statement.as(StmtSyntaxEnum.self) {
        case .expressionStmt(let wrapped): return expressionStatement(wrapped.expression)
        case .returnStmt(let leaving): return .leave(.returns, leaving.expression.map(expression))
        case .throwStmt(let leaving): return .leave(.throwing, expression(leaving.expression))
        case .breakStmt: return .leave(.breaks, nil)
        case .continueStmt: return .leave(.continues, nil)
        case .yieldStmt, .fallThroughStmt, .missingStmt: return nil
        case .deferStmt(let later): return .later(statements(later.body.statements))
        case .labeledStmt(let labeled): return self.statement(labeled.statement)
        case .doStmt(let attempt):
            let handlers = attempt.catchClauses.map { statements($0.body.statements) }
            let body = statements(attempt.body.statements)
            return .choice(
                Choice(branches: [body] + handlers, isExhaustive: handlers.isEmpty, position: attempt.offset))
        case .guardStmt(let check):
            return .choice(
                Choice(
                    conditions: conditions(check.conditions), branches: [statements(check.body.statements)],
                    isExhaustive: false, isGuard: true, position: check.offset))
        case .forStmt(let loop):
            let filter = loop.whereClause.map { [Condition.test(expression($0.condition))] } ?? []
            return .loop(
                Loop(
                    names: boundNames(loop.pattern).map(\.0), sequence: expression(loop.sequence), conditions: filter,
                    body: statements(loop.body.statements), isAsync: loop.awaitKeyword != nil, position: loop.offset))
        case .whileStmt(let loop):
            let conditions = conditions(loop.conditions)
            return .loop(
                Loop(
                    names: [], sequence: nil, conditions: conditions, body: statements(loop.body.statements),
                    isAsync: false, position: loop.offset))
        case .repeatStmt(let loop):
            return .loop(
                Loop(
                    names: [], sequence: nil, conditions: [.test(expression(loop.condition))],
                    body: statements(loop.body.statements), isAsync: false, position: loop.offset))
        default: return nil
        }
    }

    private func expressionStatement(_ syntax: ExprSyntax) -> Statement {
        switch syntax.as(ExprSyntaxEnum.self) {
        case .ifExpr(let check): return .choice(choice(check))
        case .switchExpr(let choice): return .choice(self.choice(choice))
        default: return .expression(expression(syntax))
        }
    }

    func choice(_ syntax: IfExprSyntax) -> Choice {
        var result = Choice(branches: [], isExhaustive: false, position: syntax.offset)
        var next: IfExprSyntax? = syntax
        while let check = next {
            result.conditions += conditions(check.conditions)
            result.branches.append(statements(check.body.statements))
            next = nil
            switch check.elseBody {
            case .ifExpr(let another): next = another
            case .codeBlock(let block):
                result.branches.append(statements(block.statements))
                result.isExhaustive = true
            case nil: break
            }
        }
        return result
    }

    func choice(_ syntax: SwitchExprSyntax) -> Choice {
        var branches: [[Statement]] = []
        var names: [String] = []
        func add(_ elements: SwitchCaseListSyntax) {
            for element in elements {
                switch element {
                case .switchCase(let one):
                    if case .case(let label) = one.label {
                        names += label.caseItems.flatMap { boundNames($0.pattern).map(\.0) }
                    }
                    branches.append(statements(one.statements))
                case .ifConfigDecl(let configuration):
                    for clause in CompilationCondition.clauses(configuration) {
                        if case .switchCases(let cases) = clause.elements { add(cases) }
                    }
                }
            }
        }
        let subject = expression(syntax.subject)
        add(syntax.cases)
        return Choice(
            conditions: names.isEmpty ? [] : [.pattern(names: names, subject)], subject: subject, branches: branches,
            isExhaustive: true, position: syntax.offset)
    }

    private func conditions(_ list: ConditionElementListSyntax) -> [Condition] {
        list.compactMap { element in
            switch element.condition {
            case .expression(let expression): return .test(self.expression(expression))
            case .optionalBinding(let binding):
                let name = boundNames(binding.pattern).first?.0 ?? "_"
                return .binding(name, binding.initializer.map { expression($0.value) })
            case .matchingPattern(let matching):
                return .pattern(
                    names: boundNames(matching.pattern).map(\.0), expression(matching.initializer.value))
            case .availability: return nil
            }
        }
    }

    /// The names that a pattern binds, and where they stand.
    func boundNames(_ pattern: PatternSyntax) -> [(String, Int)] {
        deeper([]) {
            switch pattern.as(PatternSyntaxEnum.self) {
            case .identifierPattern(let name):
                return [(name.identifier.text.trimmingBackticks, name.identifier.offset)]
            case .tuplePattern(let tuple): return tuple.elements.flatMap { boundNames($0.pattern) }
            case .valueBindingPattern(let binding): return boundNames(binding.pattern)
            case .expressionPattern(let matched): return patternNames(matched.expression)
            default: return []
            }
        }
    }

    /// `.some(let x)` is a call with a pattern among its arguments.
    private func patternNames(_ expression: ExprSyntax) -> [(String, Int)] {
        switch expression.as(ExprSyntaxEnum.self) {
        case .functionCallExpr(let call): return call.arguments.flatMap { patternNames($0.expression) }
        case .tupleExpr(let tuple): return tuple.elements.flatMap { patternNames($0.expression) }
        case .patternExpr(let pattern): return boundNames(pattern.pattern)
        default: return []
        }
    }
}

extension String {
    /// Without the backticks that let a keyword be a name; a raw identifier keeps them.
    var trimmingBackticks: String { Identifier.quoted(Identifier.unquoted(self[...])) }
}
