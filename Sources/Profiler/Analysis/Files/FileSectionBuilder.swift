import GameprofBasics
import GameprofTrace

/// What the program did with files, sockets and pipes, for the report.
struct FileSectionBuilder {
    let uses: FileUses
    let symbolicator: any Symbolicating
    /// Rows of a list.
    var limit = 200

    private static let names = 5
    private static let points = 120

    func section() -> Report.Files {
        var section = Report.Files()
        for (key, tally) in uses.tallies {
            section.seconds += Self.duration(tally.nanoseconds)
            let succeeded = tally.calls - min(tally.calls, tally.failures)
            switch key.operation {
            case .open:
                section.opened.add(clamping: succeeded)
                if tally.exhausted > 0 {
                    var sum = section.exhausted ?? 0
                    sum.add(clamping: tally.exhausted)
                    section.exhausted = sum
                }
            case .close: section.closed.add(clamping: succeeded)
            case .read:
                section.reads.add(clamping: tally.calls)
                section.bytesRead.add(clamping: tally.bytes)
            case .write:
                section.writes.add(clamping: tally.calls)
                section.bytesWritten.add(clamping: tally.bytes)
            case .sync, .connect: break
            }
        }
        (section.byFile, section.omittedFiles) = files()
        (section.byStack, section.omittedStacks) = calls()
        (section.neverClosed, section.omittedOpen) = open()
        section.timeline = timeline()
        return section
    }

    /// Of a call that may last less than a microsecond.
    private static func duration(_ nanoseconds: UInt64) -> Double { Double(nanoseconds) / 1e9 }

    func name(_ file: FileID) -> String { uses.names[file]?.name ?? "?" }

    func kind(_ file: FileID) -> Report.Files.Kind { uses.names[file].map { Self.kind($0.kind) } ?? .refused }

    private static func kind(_ kind: FileNameRecord.Kind) -> Report.Files.Kind {
        switch kind {
        case .path: .file
        case .socket: .socket
        case .pipe: .pipe
        case .event: .event
        case .inherited: .inherited
        case .refused: .refused
        }
    }

    private func files() -> (rows: [Report.Files.FileRow], omitted: Int) {
        var rows: [FileID: Report.Files.FileRow] = [:]
        for (key, tally) in uses.tallies {
            var row = rows[key.file] ?? .init(name: name(key.file), kind: kind(key.file))
            let succeeded = tally.calls - min(tally.calls, tally.failures)
            switch key.operation {
            case .open: row.opened.add(clamping: succeeded)
            case .close: row.closed.add(clamping: succeeded)
            case .read:
                row.reads.add(clamping: tally.calls)
                row.bytesRead.add(clamping: tally.bytes)
            case .write:
                row.writes.add(clamping: tally.calls)
                row.bytesWritten.add(clamping: tally.bytes)
            case .sync, .connect: break
            }
            row.failures.add(clamping: tally.failures)
            row.seconds += Self.duration(tally.nanoseconds)
            row.longestSeconds = max(row.longestSeconds, Self.duration(tally.longest))
            rows[key.file] = row
        }
        for (file, count) in uses.renamed {
            let opened = Int64(clamping: rows[file]?.opened ?? 0)
            rows[file]?.opened = UInt64(max(0, [opened, count].clampedSum))
        }
        let sorted = rows.values.sorted {
            ($1.seconds, $0.name, $0.kind.rawValue) < ($0.seconds, $1.name, $1.kind.rawValue)
        }
        return (Array(sorted.prefix(limit)), max(0, sorted.count - limit))
    }

    private struct Caller: Hashable {
        var stack: StackID
        var operation: FileUseRecord.Operation
    }

    private func calls() -> (rows: [Report.Files.CallRow], omitted: Int) {
        var sums: [Caller: (all: FileUses.Tally, files: Int, most: UInt64, file: FileID)] = [:]
        for (key, tally) in uses.tallies.sorted(by: { $0.key.file < $1.key.file }) {
            let caller = Caller(stack: key.stack, operation: key.operation)
            var sum = sums[caller] ?? (.init(), 0, 0, key.file)
            sum.all.add(tally)
            sum.files += 1
            if tally.nanoseconds > sum.most { (sum.most, sum.file) = (tally.nanoseconds, key.file) }
            sums[caller] = sum
        }
        let sorted = sums.sorted {
            ($1.value.all.nanoseconds, $0.key.stack, $0.key.operation.rawValue)
                < ($0.value.all.nanoseconds, $1.key.stack, $1.key.operation.rawValue)
        }
        let shown = sorted.prefix(limit)
        symbolicator.prepare(stacks: Set(shown.map(\.key.stack)), addresses: [])
        var rows: [Report.Files.CallRow] = []
        var places: [Place: Int] = [:]
        for (caller, sum) in shown {
            var row = Report.Files.CallRow(
                operation: Self.operation(caller.operation), file: name(sum.file), stack: stack(caller.stack))
            row.files = sum.files
            row.calls = sum.all.calls
            row.failures = sum.all.failures
            row.bytes = sum.all.bytes
            row.seconds = Self.duration(sum.all.nanoseconds)
            row.longestSeconds = Self.duration(sum.all.longest)
            let place = places[Place(row), default: rows.count]
            if place == rows.count {
                places[Place(row)] = place
                rows.append(row)
            } else {
                rows[place].add(row)
            }
        }
        return (rows.sorted { $0.seconds > $1.seconds }, sorted.count - shown.count)
    }

    /// What a reader sees of a row's stack: the way in through a library or the runtime makes no other row.
    private struct Place: Hashable {
        var operation: Report.Files.Operation
        var file: String
        var frames: [CallStack.Frame]

        init(_ row: Report.Files.CallRow) { (operation, file, frames) = (row.operation, row.file, row.stack.telling) }
    }

    private static func operation(_ operation: FileUseRecord.Operation) -> Report.Files.Operation {
        switch operation {
        case .open: .open
        case .close: .close
        case .read: .read
        case .write: .write
        case .sync: .sync
        case .connect: .connect
        }
    }

    private func open() -> (rows: [Report.Files.OpenRow], omitted: Int) {
        let groups = OpenGroup.groups(of: uses, symbolicator)
        let shown = groups.prefix(limit)
        let rows = shown.map { group in
            Report.Files.OpenRow(
                kind: kind(group.members[0].file), count: group.members.count, opened: group.opened,
                files: names(of: group), firstSeconds: Seconds.of(group.members[0].opened),
                lastSeconds: Seconds.of(group.members[group.members.count - 1].opened), stack: stack(group.stack),
                heldBy: holders(of: group))
        }
        return (rows, groups.count - rows.count)
    }

    private func holders(of group: OpenGroup) -> [Report.Files.Holder]? {
        var result: [Report.Files.Holder] = []
        for case let holder? in group.members.map(\.holder) where result.count < Self.names {
            let isOneWay = holder.reads != holder.writes
            let row = Report.Files.Holder(
                process: Int(holder.process), name: holder.name,
                end: isOneWay ? (holder.writes ? .write : .read) : nil)
            if !result.contains(row) { result.append(row) }
        }
        return result.isEmpty ? nil : result
    }

    /// Each once, at most five.
    func names(of group: OpenGroup) -> [String] {
        var files: [FileID] = []
        for member in group.members where !files.contains(member.file) {
            files.append(member.file)
            if files.count == Self.names { break }
        }
        return files.map(name)
    }

    private func stack(_ stack: StackID) -> CallStack {
        CallStack(symbolicator.stack(stack)) ?? CallStack(frames: [])
    }

    /// Neighbouring moments are joined until few enough are left.
    private func timeline() -> [Report.Files.Point] {
        let moments = uses.transfers.sorted { $0.key < $1.key }
        let width = max(1, (moments.count + Self.points - 1) / Self.points)
        return stride(from: 0, to: moments.count, by: width).map { start in
            let part = moments[start..<min(moments.count, start + width)]
            let sum = part.reduce(into: FileUses.Tally()) { $0.add($1.value) }
            let seconds = Self.duration(sum.nanoseconds)
            return .init(
                seconds: Seconds.of(part.last?.key ?? 0), calls: sum.calls, bytes: sum.bytes,
                meanSeconds: sum.calls == 0 ? 0 : seconds / Double(sum.calls),
                longestSeconds: Self.duration(sum.longest))
        }
    }
}

extension Report.Files.CallRow {
    /// Calls of the same file.
    fileprivate mutating func add(_ other: Self) {
        files = max(files, other.files)
        calls.add(clamping: other.calls)
        failures.add(clamping: other.failures)
        bytes.add(clamping: other.bytes)
        seconds += other.seconds
        longestSeconds = max(longestSeconds, other.longestSeconds)
    }
}
