/// What the template of the flame graph is filled with.
struct FlameView {
    /// A colour of the drawing: its class in the style sheet, and what it stands for.
    struct Key {
        var kind: String
        var meaning: String

        static let origins = [
            Key(kind: "user", meaning: "your code"), Key(kind: "library", meaning: "libraries"),
            Key(kind: "runtime", meaning: "Swift standard library and runtime"),
        ]
        static let changes = [
            Key(kind: "grew", meaning: "more than before"), Key(kind: "same", meaning: "as before"),
            Key(kind: "shrank", meaning: "less than before"),
        ]
    }

    let data: FlameData
    /// What is chosen in the list of trees.
    var choice = "Thread"
    var hint = "Every box is a function, as wide as the time in it and in what it called."
    var legend = Key.origins

    var values: [String: Any] {
        [
            "choice": choice, "hint": hint, "data": data.json, "flame": optional(FlameDrawing(data).values),
            "roots": data.roots.map {
                ["value": $0.value, "label": PageText.clean($0.label, limit: 60), "unit": $0.unit.rawValue]
            },
            "legend": legend.map { ["kind": $0.kind, "meaning": $0.meaning] },
            "omitted": optional(
                data.omitted > 0
                    ? "\(Quantity.count(data.omitted)) boxes too small to be seen are left out; their time is their caller's."
                    : nil),
        ]
    }
}
