import GameprofAnalysis

/// The two ends of a path that is too long to show.
package struct PathEnds {
    package var head: [Reference]
    package var tail: [Reference]
    /// References between them.
    package var omitted: Int

    /// Keeps at most `limit` references; the tail, where the suspect stands, gets a third of them.
    package init(_ references: [Reference], limit: Int) {
        guard references.count > limit else {
            (head, tail, omitted) = (references, [], 0)
            return
        }
        tail = Array(references.suffix(limit / 3))
        head = Array(references.prefix(limit - tail.count))
        omitted = references.count - limit
    }

    /// The two ends of a retaining path, which may have a gap already.
    package init(_ path: HeldBy, limit: Int) {
        self.init(path.references, limit: limit)
        omitted += path.omitted ?? 0
    }
}
