/// The marks that the recorder sets around a memory warning.
public enum MemoryWarningMarks {
    static let before = "memory warning"
    static let after = "memory warning handled"

    /// The marks of each warning that was handled to its end, in order of time.
    public static func pairs(_ marks: [MarkRecord]) -> [(before: MarkRecord, after: MarkRecord)] {
        var pairs: [(before: MarkRecord, after: MarkRecord)] = []
        var begun: MarkRecord?
        for mark in marks.sorted(by: { $0.time < $1.time }) {
            if mark.name == before { begun = mark }
            if mark.name == after, let before = begun {
                pairs.append((before, mark))
                begun = nil
            }
        }
        return pairs
    }
}
