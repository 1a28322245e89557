import GameprofBasics

/// What the template of the flame graph is filled with.
struct FlameView {
    /// A colour of the drawing: its class in the style sheet, and what it stands for.
    struct Key: Equatable {
        var kind: String
        var meaning: String

        static let origins = [
            Key(kind: "user", meaning: "your code"), Key(kind: "library", meaning: "libraries, packages"),
            Key(kind: "runtime", meaning: "Swift standard library and runtime"),
        ]
        static let changes = [
            Key(kind: "grew", meaning: "more than before"), Key(kind: "same", meaning: "as before"),
            Key(kind: "shrank", meaning: "less than before"),
        ]
        static let types = [
            Key(kind: "user", meaning: "your types"), Key(kind: "library", meaning: "types of libraries"),
            Key(kind: "runtime", meaning: "storage, closures and untyped memory"),
        ]
    }

    let data: FlameData
    /// What is chosen in the list of trees.
    var choice = "Thread"
    var hint = "Every box is a function. Its width is the time spent in the function and its callees."
    var legend = Key.origins
    /// What the drawing is called where it cannot be seen; nil: a drawing of stacks.
    var title: String?
    /// What turns the trees around.
    var callers = "Callers"
    var find = "function or module"
    var hasTree = true

    var values: [String: Any] {
        [
            "choice": choice, "hint": hint, "data": data.json,
            "flame": optional(FlameDrawing(data, title: title).values),
            "callers": callers, "find": find, "hasTree": hasTree,
            "hasMeasures": !data.measures.isEmpty, "hasOneMeasure": data.measures.count == 1,
            "hasOrigins": legend == Key.origins,
            "hasOneRoot": data.roots.count < 2,
            "measures": data.measures.map { ["name": $0.name, "unit": $0.unit] },
            "roots": data.roots.map {
                ["value": $0.value, "label": PageText.clean($0.label, limit: 60), "unit": $0.unit.rawValue]
            },
            "legend": legend.map { ["kind": $0.kind, "meaning": $0.meaning] },
            "omitted": optional(omitted),
        ]
    }

    private var omitted: String? {
        guard data.omitted > 0 else { return nil }
        return "\(NumberFormat.count(data.omitted)) boxes are too small to be shown. Their time or memory is added to "
            + "the box above."
    }
}
