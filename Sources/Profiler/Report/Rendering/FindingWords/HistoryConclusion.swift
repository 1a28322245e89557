import GameprofAnalysis

/// What the recorded retains and releases of an object show, in a sentence.
enum HistoryConclusion {
    static func text(_ conclusion: CountHistory.Conclusion) -> String {
        switch conclusion {
        case .unownedRelease(let sites):
            return
                "\(inOrder(sites, " and ")) releases it without a retain of its own: it, or a function that it calls, "
                + "takes a reference that it does not own."
        case .oneReleaseTooMany(let sites):
            return
                "One of these releases is one too many, and the history does not show which: \(inOrder(sites, ", then "))."
        case .unownedUse: return "Nothing owns it any more: a reference that does not own the object was used."
        case .unreleasedRetain(let sites): return "\(list(sites)) retains it without a matching release."
        case .oneUnreleased(let sites):
            return "One of these has no release, and which is not known: \(inOrder(sites, ", ")) "
                + "(Unmanaged.passRetained, retain())."
        case .balanced: return "Every recorded retain has a matching release."
        }
    }

    private static func list(_ sites: [Finding.Site]) -> String {
        Set(sites.map(named)).sorted().joined(separator: " or ")
    }

    private static func inOrder(_ sites: [Finding.Site], _ separator: String) -> String {
        var known: Set<String> = []
        return sites.map(named).filter { known.insert($0).inserted }.joined(separator: separator)
    }

    private static func named(_ site: Finding.Site) -> String {
        (site.function ?? "somebody") + (site.place.map { " at \($0)" } ?? "")
            + (site.caller.map { " (called by \($0))" } ?? "")
    }
}
