import GameprofAnalysis

/// What the recorded retains and releases of an object show, in a sentence.
enum HistoryConclusion {
    static func text(_ conclusion: CountHistory.Conclusion) -> String {
        switch conclusion {
        case .unownedRelease(let sites):
            let names = inOrder(sites)
            guard names.count > 1 else {
                return "\(names.joined()) releases it without a retain of its own: it, or a function that it calls, "
                    + "takes a reference that it does not own."
            }
            return
                "\(names.joined(separator: " and ")) release it without retains of their own: they, or functions that they call, "
                + "take references that they do not own."
        case .oneReleaseTooMany(let sites):
            let names = inOrder(sites)
            return names.count == 1
                ? "One of the releases in \(names[0]) is one too many."
                : "One of these releases is one too many. Which of them cannot be determined from the history: "
                    + "\(names.joined(separator: ", then "))."
        case .unownedUse:
            return
                "No object and no global variable owns it any more: either a reference that does not own it was used, "
                + "or what a local variable owned was released."
        case .unreleasedRetain(let sites, _): return "\(list(sites)) retains it without a matching release."
        case .unreleasedBirth(let sites):
            return "The reference with which \(list(sites)) made it was never released."
        case .oneUnreleased(let sites):
            return
                "One of these retains has no release. Which of them cannot be determined: "
                + "\(inOrder(sites).joined(separator: ", ")) (Unmanaged.passRetained, retain())."
        case .balanced: return "Every recorded retain has a matching release."
        }
    }

    private static func list(_ sites: [Finding.Site]) -> String {
        Set(sites.map(named)).sorted().joined(separator: " or ")
    }

    private static func inOrder(_ sites: [Finding.Site]) -> [String] {
        var known: Set<String> = []
        return sites.map(named).filter { known.insert($0).inserted }
    }

    private static func named(_ site: Finding.Site) -> String {
        (site.function ?? "somebody") + (site.place.map { " at \($0)" } ?? "")
            + (site.caller.map { " (called by \($0))" } ?? "")
    }
}
