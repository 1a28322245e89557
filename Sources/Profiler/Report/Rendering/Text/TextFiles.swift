import GameprofAnalysis
import GameprofBasics

/// What the program did with files, in a text report.
package enum TextFiles {
    private static let fileLimit = 15
    private static let stackLimit = 10
    private static let openLimit = 10

    static func lines(_ files: Report.Files, style: TextStyle) -> [String] {
        var lines = TextTable.wrap(summary(files), first: "", rest: "  ", width: style.width) + [""]
        lines.append(style.paint("    time   longest    reads      read   writes   written  by file", .bold))
        lines += files.byFile.prefix(fileLimit).map { row in
            let figures =
                time(row.seconds) + time(row.longestSeconds) + count(row.reads) + bytes(row.bytesRead)
                + count(row.writes) + bytes(row.bytesWritten)
            return figures + "  " + TextTable.cut(title(row), max(20, style.width - figures.count - 2))
        }
        lines += more(files.byFile.count - fileLimit + files.omittedFiles, "file")
        lines += ["", style.paint("    time   longest    calls     bytes  by stack", .bold)]
        for row in files.byStack.prefix(stackLimit) {
            let figures = time(row.seconds) + time(row.longestSeconds) + count(row.calls) + bytes(row.bytes)
            let room = max(20, style.width - figures.count - 2)
            let maker = row.stack.maker.map { " in \($0)" } ?? ""
            let caller = row.stack.caller.map { " ← \($0)" } ?? ""
            lines.append(figures + "  " + TextTable.cut("\(row.operation.rawValue)\(maker)", room))
            let indent = String(repeating: " ", count: figures.count + 4)
            lines.append(style.paint(indent + TextTable.cut(self.files(row) + caller, room - 2), .faint))
        }
        lines += more(files.byStack.count - stackLimit + files.omittedStacks, "stack")
        guard !files.neverClosed.isEmpty else { return lines }
        lines += ["", style.paint(neverClosed, .bold)]
        for row in files.neverClosed.prefix(openLimit) {
            let room = max(20, style.width - 11)
            lines.append(count(UInt64(row.count)) + "  " + TextTable.cut(opened(row), room))
            let maker = row.stack.maker ?? "no stack"
            lines.append(style.paint("           " + TextTable.cut("opened in \(maker)", room), .faint))
            if let holders = holders(row) { lines.append("           " + TextTable.cut(holders, room)) }
        }
        lines += more(files.neverClosed.count - openLimit + files.omittedOpen, "stack")
        return lines
    }

    package static let neverClosed = "Open at the end"

    /// So many open descriptors of one stack are stated wherever no finding is.
    private static let manyOpen = 20

    /// `300 descriptors that readNotes() opened are still open`; nil: no stack has many, or nothing is known of it.
    static func stillOpen(_ files: Report.Files?) -> String? {
        guard let row = files?.neverClosed.max(by: { $0.count < $1.count }), row.count >= manyOpen else { return nil }
        let maker = row.stack.telling.first.map { PlainText.clean(FunctionName.display($0.function)) }
        return "\(NumberFormat.count(row.count)) descriptors that \(maker ?? "one stack") opened are still open"
    }

    /// `12 opened, 11 closed · 4,096 reads, 16 MB · 2 writes, 20 B · 14 ms in calls`
    package static func summary(_ files: Report.Files) -> String {
        var parts = [
            "\(NumberFormat.count(files.opened)) opened, \(NumberFormat.count(files.closed)) closed",
            "\(NumberFormat.count(files.reads, "read")), \(NumberFormat.bytes(files.bytesRead))",
            "\(NumberFormat.count(files.writes, "write")), \(NumberFormat.bytes(files.bytesWritten))",
            "\(NumberFormat.seconds(files.seconds)) in calls",
        ]
        if let refused = files.exhausted {
            parts.append("\(NumberFormat.count(refused)) refused, since no descriptor was left")
        }
        return parts.joined(separator: " · ")
    }

    /// `/etc/hosts`, `TCP socket`, `standard output`
    package static func title(_ row: Report.Files.FileRow) -> String {
        row.kind == .refused ? "failed calls without a descriptor" : PlainText.clean(row.name)
    }

    /// `a.txt and 3 more files`
    package static func files(_ row: Report.Files.CallRow) -> String {
        let name = row.file.isEmpty ? "failed calls without a descriptor" : PlainText.clean(row.file)
        return row.files < 2 ? name : "\(name) and \(NumberFormat.count(row.files - 1, "more file"))"
    }

    /// `a.txt, b.txt … at 0.1 s to 2.4 s, of 14 that were opened`
    package static func opened(_ row: Report.Files.OpenRow) -> String {
        let names = row.files.map(PlainText.clean).joined(separator: ", ")
        let times = [row.firstSeconds, row.lastSeconds].map(NumberFormat.seconds)
        let span = row.count == 1 || times[0] == times[1] ? "at \(times[0])" : "from \(times[0]) to \(times[1])"
        return "\(names), opened \(span)"
            + (row.opened > UInt64(row.count) ? " (\(NumberFormat.count(row.opened)) in all)" : "")
    }

    /// `the write end is held open by sleep (pid 1234)`; nil: by nobody.
    package static func holders(_ row: Report.Files.OpenRow) -> String? {
        guard let holders = row.heldBy else { return nil }
        let sentences = holders.map { holder in
            let end = holder.end.map { "the \($0.rawValue) end is " } ?? ""
            return "\(end)held open by \(PlainText.clean(holder.name)) (pid \(holder.process))"
        }
        return sentences.joined(separator: ", ")
    }

    private static func time(_ seconds: Double) -> String { TextTable.right(NumberFormat.seconds(seconds), 9) + " " }
    private static func count(_ value: UInt64) -> String { TextTable.right(NumberFormat.count(value), 9) }
    private static func bytes(_ value: UInt64) -> String { TextTable.right(NumberFormat.bytes(value), 9) }

    private static func more(_ count: Int, _ noun: String) -> [String] {
        count > 0 ? ["  … \(NumberFormat.count(count, "more \(noun)"))"] : []
    }
}
