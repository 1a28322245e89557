import GameprofAnalysis

/// What the recorded retains and releases of an object show, in a sentence.
enum HistoryConclusion {
    static func text(_ conclusion: CountHistory.Conclusion) -> String {
        switch conclusion {
        case .unownedRelease(let sites): return "\(list(sites)) releases it without a retain of its own."
        case .releaseOfAnothers(let sites, let taker, let user):
            return "\(list(sites)) gives back what \(taker ?? "another function") took, and \(user ?? "its type") uses "
                + "it still."
        case .unownedUse:
            return "Every recorded release has a matching retain: a reference that does not own the object was used."
        case .unreleasedRetain(let sites): return "\(list(sites)) retains it without a matching release."
        case .oneUnreleased(let sites):
            return "One of these has no release, and which is not known: \(ranked(sites)) "
                + "(Unmanaged.passRetained, retain())."
        case .balanced: return "Every recorded retain has a matching release."
        }
    }

    private static func list(_ sites: [Finding.Site]) -> String {
        Set(sites.map(named)).sorted().joined(separator: " or ")
    }

    private static func ranked(_ sites: [Finding.Site]) -> String {
        var known: Set<String> = []
        return sites.map(named).filter { known.insert($0).inserted }.joined(separator: ", ")
    }

    private static func named(_ site: Finding.Site) -> String {
        (site.function ?? "somebody") + (site.place.map { " at \($0)" } ?? "")
    }
}
