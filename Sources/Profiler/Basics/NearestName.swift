/// What somebody may have meant who wrote a name that is not known.
public enum NearestName {
    /// The known name that takes the fewest changes of a letter, of case among them; nil: none is near.
    public static func of(_ name: String, among known: some Sequence<String>) -> String? {
        let letters = Array(name.lowercased())
        let most = max(1, letters.count / 3)
        var best: (name: String, changes: Int)?
        for candidate in known where candidate != name && !candidate.isEmpty {
            let other = Array(candidate.lowercased())
            guard abs(other.count - letters.count) <= most else { continue }
            let changes = changes(letters, other)
            guard changes <= most, changes < letters.count else { continue }
            if let found = best, (found.changes, found.name) <= (changes, candidate) { continue }
            best = (candidate, changes)
        }
        return best?.name
    }

    /// `; did you mean leaks?`, or nothing.
    public static func hint(_ name: String, among known: some Sequence<String>) -> String {
        of(name, among: known).map { "; did you mean \($0)?" } ?? ""
    }

    /// Letters that are inserted, left out, replaced or swapped with the next.
    private static func changes(_ left: [Character], _ right: [Character]) -> Int {
        var rows = [Array(0...right.count)]
        for (i, letter) in left.enumerated() {
            var row = [i + 1]
            for (j, other) in right.enumerated() {
                var least = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (letter == other ? 0 : 1))
                if i > 0, j > 0, letter == right[j - 1], left[i - 1] == other {
                    least = min(least, rows[i - 1][j - 1] + 1)
                }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[left.count][right.count]
    }
}
