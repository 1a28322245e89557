import GameprofAnalysis
import GameprofBasics

/// What every report says of the list of objects.
package enum ObjectWords {
    /// `Objects: Card, 1,200 allocated, 14 live at the end`
    package static func heading(_ objects: Report.ObjectRows, names: ShortNames) -> String {
        let types = Set(objects.rows.map { names[$0.type] }).sorted()
        let shown = types.prefix(3).joined(separator: ", ") + (types.count > 3 ? " and others" : "")
        return "Objects: \(shown), \(NumberFormat.count(objects.total)) allocated, "
            + "\(NumberFormat.count(objects.live)) live at the end"
    }

    /// What is left out; nil: nothing.
    package static func omitted(_ objects: Report.ObjectRows) -> String? {
        guard objects.omitted > 0 else { return nil }
        return "\(NumberFormat.count(objects.omitted, "more object")) not listed. The list has the "
            + "\(NumberFormat.count(objects.rows.count)) that lived longest."
    }

    /// The function that allocated it and its line.
    package static func maker(_ row: Report.ObjectRow) -> String {
        guard let function = row.function else { return "no stack" }
        return [FunctionName.display(function), SourceLocation.short(file: row.file, line: row.line)].compactMap { $0 }
            .joined(separator: ", ")
    }

    /// How long it lived; nil: it lives.
    package static func lifetime(_ row: Report.ObjectRow) -> Double? {
        row.diedSeconds.map { max(0, $0 - row.bornSeconds) }
    }
}

extension ObjectNoun {
    /// "3 closure contexts", "1 untyped block"
    package func counted(_ count: Int) -> String {
        switch self {
        case .memory: NumberFormat.count(count, "untyped block")
        case .contextOrVariable: NumberFormat.count(count, rawValue, "closure contexts or captured variables")
        default: NumberFormat.count(count, rawValue)
        }
    }
}
