import GameprofAnalysis
import GameprofBasics

extension LiveObjects {
    /// The objects with their sentence.
    package init(_ analyzed: AnalyzedObjects) {
        self = analyzed.facts
        message = Self.message(analyzed.facts, analyzed.answer)
    }

    private static func message(_ objects: LiveObjects, _ answer: Answer) -> String {
        switch answer {
        case .noneLives(let leaked) where leaked > 0:
            return "No reachable object has a type that matches \(objects.asked), but "
                + "\(text(leaked: leaked)): see the findings."
        case .noneLives: return "No live object has a type that matches \(objects.asked)."
        case .deallocated: return "\(objects.asked.isEmpty ? "The object" : objects.asked) was deallocated."
        case .live(let leaked):
            return "\(NumberFormat.count(objects.instances, "object")) of \(TypeName.bare(objects.type ?? "")) "
                + (objects.instances == 1 ? "is live" : "are live")
                + (leaked > 0 ? ", and \(text(leaked: leaked)): see the findings." : ".")
        case .lives: return "\(name(objects)) is live."
        case .isLeaked:
            return "\(name(objects)) is leaked: it was not deallocated although nothing can reach it."
        }
    }

    private static func name(_ objects: LiveObjects) -> String {
        objects.asked.isEmpty ? TypeName.bare(objects.type ?? "") : objects.asked
    }

    private static func text(leaked: Int) -> String {
        "\(NumberFormat.count(leaked, "object")) \(leaked == 1 ? "is" : "are") leaked"
    }
}
