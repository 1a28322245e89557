import Foundation

/// Applies the edits that suspects suggest, and shows them as a diff.
public enum SourceEdit {
    /// The text with the pieces replaced; nil when they do not fit it.
    public static func apply(_ edits: [StaticFinding.Edit], to bytes: [UInt8]) -> [UInt8]? {
        let pieces = edits.flatMap(\.pieces).sorted { $0.offset < $1.offset }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 64 * pieces.count)
        var position = 0
        for piece in pieces {
            guard piece.offset >= position, piece.length >= 0, piece.length <= bytes.count - piece.offset else {
                return nil
            }
            result += bytes[position..<piece.offset]
            result += piece.text.utf8
            position = piece.offset + piece.length
        }
        return result + bytes[position...]
    }

    /// The analyzer's hash of a file: FNV-1a of its bytes, mixed with their number, sixteen hex digits.
    public static func hash(of bytes: [UInt8]) -> String { ContentHash.of(bytes) }

    /// The changed lines of a file in the form of `diff -u`, with `context` lines around; empty when nothing changes.
    /// Carriage returns at the ends of lines are left out.
    public static func diff(_ old: String, _ new: String, path: String, context: Int = 2) -> String {
        let before = lines(old)
        let after = lines(new)
        let hunks = LineDiff.hunks(before, after, context: context)
        guard !hunks.isEmpty else { return "" }
        var text = "--- \(path)\n+++ \(path)\n"
        for hunk in hunks {
            let (from, to) = (hunk.old, hunk.new)
            text += "@@ -\(from.lowerBound + 1),\(from.count) +\(to.lowerBound + 1),\(to.count) @@\n"
            text += hunk.lines.map { ($0.utf8.last == UInt8(ascii: "\r") ? String($0.dropLast()) : $0) + "\n" }.joined()
        }
        return text
    }

    private static func lines(_ text: String) -> [Substring] {
        // By bytes: of characters, a carriage return and the line feed behind it are one.
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            Substring($0)
        }
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }
}

/// Compares texts line by line.
enum LineDiff {
    struct Hunk {
        var old: Range<Int>
        var new: Range<Int>
        /// Each begins with a space, a minus or a plus.
        var lines: [String]
    }

    /// Groups of changes with the lines around them. Edits that only insert lines and change some keep this quick: the
    /// standard difference is linear in the lines times the changes.
    static func hunks(_ old: [Substring], _ new: [Substring], context: Int) -> [Hunk] {
        let difference = new.difference(from: old)
        let removed = Set(difference.removals.map(offset))
        let added = Set(difference.insertions.map(offset))
        guard !removed.isEmpty || !added.isEmpty else { return [] }
        var script: [(old: Int, new: Int, mark: Character, text: Substring)] = []
        var (i, j) = (0, 0)
        while i < old.count || j < new.count {
            if i < old.count, removed.contains(i) {
                script.append((i, j, "-", old[i]))
                i += 1
            } else if j < new.count, added.contains(j) {
                script.append((i, j, "+", new[j]))
                j += 1
            } else if i < old.count, j < new.count {
                script.append((i, j, " ", old[i]))
                (i, j) = (i + 1, j + 1)
            } else {
                break
            }
        }
        return groups(script.indices.filter { script[$0].mark != " " }, gap: 2 * context).map { group in
            let range = max(0, group.lowerBound - context)..<min(script.count, group.upperBound + 1 + context)
            let part = script[range]
            let (first, oldCount, newCount) = (
                part[range.lowerBound], part.count { $0.mark != "+" }, part.count { $0.mark != "-" }
            )
            return Hunk(
                old: first.old..<(first.old + oldCount), new: first.new..<(first.new + newCount),
                lines: part.map { "\($0.mark)\($0.text)" })
        }
    }

    private static func offset(_ change: CollectionDifference<Substring>.Change) -> Int {
        switch change {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
    }

    /// Runs of changed places that lie near each other.
    private static func groups(_ changed: [Int], gap: Int) -> [ClosedRange<Int>] {
        var result: [ClosedRange<Int>] = []
        for index in changed {
            if let last = result.last, index - last.upperBound <= gap + 1 {
                result[result.count - 1] = last.lowerBound...index
            } else {
                result.append(index...index)
            }
        }
        return result
    }
}
