import GameprofTrace

/// Which function each closure context belongs to.
struct ClosureContexts: Sendable {
    private var functions: [Int32: UInt64] = [:]
    private let names: FunctionNames

    init(graph: HeapGraph, names: FunctionNames) {
        self.names = names
        for edge in graph.edges where edge.function != 0 {
            if let other = functions[edge.to], names.hash(of: other) <= names.hash(of: edge.function) { continue }
            functions[edge.to] = edge.function
        }
    }

    /// The code that runs with this context; 0: not known.
    func function(of context: Int32) -> UInt64 { functions[context] ?? 0 }

    /// Demangled and simplified name of that code.
    func name(of context: Int32) -> String? { functions[context].flatMap { names[$0] } }
}
