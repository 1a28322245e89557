import BuildIndex
import GameprofBasics
import SourceModel

/// What the compiler made of the names in one file: which declaration stands behind each.
struct UsedSymbols: Sendable {
    private let symbols: [IndexSymbol]
    /// By line and column.
    private let places: [(key: UInt64, symbol: Int)]

    init(_ record: IndexRecord) {
        symbols = record.symbols
        places = record.occurrences.filter { !record.symbols[$0.symbol].isPart && !record.symbols[$0.symbol].isType }
            .map { (Self.key($0.line, $0.column), $0.symbol) }
            .sorted { $0.key < $1.key }
    }

    private static func key(_ line: Int, _ column: Int) -> UInt64 {
        UInt64(truncatingIfNeeded: line) << 32 | UInt64(truncatingIfNeeded: column)
    }

    /// The property or function that a name means; nil when the index knows of none of that name there.
    /// - Complexity: O(log places).
    func declaration(named name: String, line: Int, column: Int) -> UsedDeclaration? {
        let key = Self.key(line, column)
        let plain = Identifier.unquoted(name[...])
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle].key < key { low = middle + 1 } else { high = middle }
        }
        while low < places.count, places[low].key == key {
            let symbol = symbols[places[low].symbol]
            // The index has raw identifiers without backticks.
            let isFunction = symbol.name.hasPrefix(plain + "(")
            if isFunction || symbol.name == plain { return UsedDeclaration(usr: symbol.usr, isFunction: isFunction) }
            low += 1
        }
        return nil
    }
}

/// A property or a function, as the compiler knows it.
struct UsedDeclaration {
    var usr: String
    var isFunction: Bool

    /// The type of the property. Demangles its name: some 10 µs.
    var type: TypeReference? { isFunction ? nil : DemangledName(usr: usr)?.type }

    /// What a call gives.
    var result: TypeReference? {
        let type = DemangledName(usr: usr)?.type
        if isFunction { return type }
        if case .function(let result, _)? = type?.unwrapped { return result }
        return nil
    }

    /// The path of the type that it is a member of; empty where there is none.
    var owner: String { DemangledName(usr: usr)?.owner ?? "" }
}
