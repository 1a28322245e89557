// A compiler: names are interned, functions become instructions, passes rewrite them; all is alive at the end for the output.
final class Symbol {
    let name: String
    var uses = 0
    init(_ name: String) { self.name = name }
}
final class SymbolTable {
    nonisolated(unsafe) static let shared = SymbolTable()
    private var symbols: [String: Symbol] = [:]
    func intern(_ name: String) -> Symbol {
        if let known = symbols[name] {
            known.uses += 1
            return known
        }
        let made = Symbol(name)
        symbols[name] = made
        return made
    }
    var count: Int { symbols.count }
    private init() {}
}
enum Operation {
    case load(Int)
    case add, multiply
    case call(Symbol)
    case store(Symbol)
    case nothing
}
final class Instruction {
    var operation: Operation
    let line: Int
    init(_ operation: Operation, line: Int) {
        self.operation = operation
        self.line = line
    }
}
final class BasicBlock {
    var instructions: [Instruction] = []
    var successors: [BasicBlock] = []
}
final class Function {
    let name: Symbol
    var blocks: [BasicBlock] = []
    init(name: Symbol) { self.name = name }
}
final class Module { var functions: [Function] = [] }
struct Frontend {
    func compile(_ number: Int) -> Function {
        let table = SymbolTable.shared
        let function = Function(name: table.intern("function\(number)"))
        for block in 0..<4 {
            let made = BasicBlock()
            for line in 0..<8 {
                made.instructions.append(Instruction(.load(line), line: line))
                made.instructions.append(Instruction(line % 3 == 0 ? .nothing : .add, line: line))
                if line % 4 == 0 {
                    made.instructions.append(Instruction(.call(table.intern("function\(number / 2)")), line: line))
                }
            }
            made.instructions.append(Instruction(.store(table.intern("local\(block)")), line: 9))
            function.blocks.last?.successors.append(made)
            function.blocks.append(made)
        }
        return function
    }
}
protocol Pass { func run(_ function: Function) }
struct RemoveNothing: Pass {
    func run(_ function: Function) {
        for block in function.blocks {
            block.instructions.removeAll { if case .nothing = $0.operation { true } else { false } }
        }
    }
}
struct FoldLoads: Pass {
    func run(_ function: Function) {
        for block in function.blocks {
            var result: [Instruction] = []
            for instruction in block.instructions {
                if case .load(let b) = instruction.operation, let last = result.last, case .load(let a) = last.operation
                {
                    result[result.count - 1] = Instruction(.load(a + b), line: instruction.line)
                } else {
                    result.append(instruction)
                }
            }
            block.instructions = result
        }
    }
}
struct Output {
    func text(_ module: Module) -> Int {
        module.functions.reduce(0) { $0 + $1.blocks.reduce(0) { $0 + $1.instructions.count } }
    }
}
let module = Module()
let passes: [any Pass] = [RemoveNothing(), FoldLoads()]
for number in 0..<350 {
    let function = Frontend().compile(number)
    for pass in passes { pass.run(function) }
    module.functions.append(function)
}
print(Output().text(module), "instructions", SymbolTable.shared.count, "symbols")
