import GameprofAnalysis
import GameprofBasics

/// An allocation that was made to fail, in words.
package enum FailedAllocationText {
    /// `Allocation 12 of the program's own (4.0 KB) was made to fail, at 0.3 s; the program ended with exit status 0.`
    package static func sentence(_ report: Report) -> String? {
        guard let failed = report.failedAllocation else { return nil }
        return
            "Allocation \(NumberFormat.count(failed.number)) of the program's own (\(NumberFormat.bytes(failed.bytes))) "
            + "was made to fail, at \(NumberFormat.seconds(failed.seconds)); \(ending(report.target.exit))."
    }

    private static func ending(_ exit: Report.Exit?) -> String {
        if let signal = exit?.signal { return "the program was ended by signal \(signal)" }
        if let code = exit?.code { return "the program ended with exit status \(code)" }
        return "how the program ended is not known"
    }

    /// The sentence and the stack, for a terminal.
    static func lines(_ report: Report, style: TextStyle) -> [String] {
        guard let sentence = sentence(report), let failed = report.failedAllocation else { return [] }
        return TextTable.wrap(sentence, first: "", rest: "  ", width: style.width).map { style.paint($0, .bold) }
            + failed.requestedBy.telling.prefix(8).map { frame in
                let place = SourceLocation.short(file: frame.file, line: frame.line) ?? frame.module
                let function = PlainText.clean(FunctionName.display(frame.function))
                return "  " + TextTable.cut("\(function)  \(PlainText.clean(place))", max(20, style.width - 2))
            } + [""]
    }
}
