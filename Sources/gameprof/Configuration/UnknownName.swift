import GameprofBasics
import Yams

/// What is said of a name that a file may not have: which one was meant, and all that there are.
enum UnknownName {
    static func sentence(_ what: String, _ node: Node, known: [String]) -> String {
        let name = node.scalar?.string ?? "?"
        let near = NearestName.of(name, among: known).map { "; did you mean \($0)? There are " } ?? "; there are "
        return "the \(what) \(name) is not known\(near)\(known.joined(separator: ", "))"
    }
}
