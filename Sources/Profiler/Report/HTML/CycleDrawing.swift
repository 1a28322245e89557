import GameprofAnalysis
import GameprofBasics

/// The drawn path of a finding: boxes for the user's types and closures, arrows with the fields' names.
struct CycleDrawing {
    private static let boxWidth = 190.0
    private static let boxHeight = 36.0
    private static let columnPitch = 320.0
    private static let rowPitch = 120.0
    private static let margin = 24.0
    /// More boxes than this are folded into one.
    private static let boxLimit = 8
    private static let labelLimit = 24

    private struct Box {
        var label: String
        var isClosure = false
        var x = 0.0
        var y = 0.0
    }

    private struct Arrow {
        var label: String
        var via: [String]
        var isSuspect: Bool
    }

    private var boxes: [Box] = []
    private var arrows: [Arrow] = []
    /// Between any two boxes: the other references of a knot.
    private var links: [(from: Int, to: Int, arrow: Arrow)] = []
    private let number: Int
    private let title: String
    private var width = 0.0
    private var height = 0.0

    /// Nil when there is no cycle to draw.
    init?(finding: Finding, number: Int, names: ShortNames) {
        guard !finding.references.isEmpty, finding.kind != .deinitialised else { return nil }
        self.number = number
        title = "Drawing of \(finding.title)"
        let ends = PathEnds(finding.references, limit: 2 * Self.boxLimit)
        for reference in ends.head + ends.tail { add(reference, names: names) }
        fold(hidden: ends.omitted)
        place()
        link(finding.knot ?? [], names: names)
    }

    /// A row of boxes below for the types that are in the knot alone. References between the same two types are one arrow.
    private mutating func link(_ knot: [Reference], names: ShortNames) {
        var places: [String: Int] = [:]
        // The last box of a type stands nearest to the row below.
        for (index, box) in boxes.enumerated() where !box.isClosure { places[box.label] = index }
        let left = Self.margin + Self.boxWidth / 2
        let others = Set(knot.flatMap { [names[$0.from], names[$0.to]] }).subtracting(places.keys).sorted()
        for (column, type) in others.prefix(Self.boxLimit / 2).enumerated() {
            places[type] = boxes.count
            boxes.append(Box(label: type, x: left + Double(column) * Self.columnPitch, y: height + Self.rowPitch / 2))
        }
        for reference in knot {
            guard let from = places[names[reference.from]], let to = places[names[reference.to]] else { continue }
            let label =
                reference.captures == nil
                ? reference.path : reference.path.isEmpty ? "captured" : "\(reference.path), captured"
            let isSuspect = reference.suspect != nil
            if let known = links.firstIndex(where: { $0.from == from && $0.to == to }) {
                links[known].arrow.label += ", \(label)"
                links[known].arrow.isSuspect = links[known].arrow.isSuspect || isSuspect
            } else {
                links.append((from, to, Arrow(label: label, via: reference.via, isSuspect: isSuspect)))
            }
        }
        guard !links.isEmpty else { return }
        width = max(width, (boxes.map(\.x).max() ?? 0) + left + 90)
        height = (boxes.map(\.y).max() ?? 0) + Self.boxHeight / 2 + Self.margin + 40
    }

    private mutating func add(_ reference: Reference, names: ShortNames) {
        boxes.append(Box(label: names[reference.from]))
        let repeats = reference.repeats.map { " × \(NumberFormat.count($0))" } ?? ""
        guard reference.captures != nil else {
            arrows.append(
                Arrow(label: reference.path + repeats, via: reference.via, isSuspect: reference.suspect != nil))
            return
        }
        arrows.append(Arrow(label: reference.path, via: reference.via, isSuspect: false))
        boxes.append(Box(label: reference.closure ?? "closure", isClosure: true))
        let captured = reference.captures == "self" ? "self" : names[reference.to]
        arrows.append(Arrow(label: "captures \(captured)\(repeats)", via: [], isSuspect: reference.suspect != nil))
    }

    private mutating func fold(hidden: Int) {
        guard boxes.count > Self.boxLimit else { return }
        let (head, tail) = (4, 3)
        let omitted = boxes.count - head - tail + hidden
        boxes.replaceSubrange(head..<(boxes.count - tail), with: [Box(label: "… \(NumberFormat.count(omitted)) more")])
        arrows.replaceSubrange(head..<(arrows.count - tail), with: [Arrow(label: "…", via: [], isSuspect: false)])
    }

    /// One box alone, two above each other, more as a ring of two rows.
    private mutating func place() {
        let count = boxes.count
        let top = count <= 2 ? 1 : (count + 1) / 2
        let side = count == 1 || !count.isMultiple(of: 2) ? 0 : 170.0
        for index in boxes.indices {
            let isTop = index < top
            let column = isTop ? Double(index) : Double(top - 1 - (index - top)) - (count.isMultiple(of: 2) ? 0 : 0.5)
            boxes[index].x = Self.margin + side + Self.boxWidth / 2 + column * (count <= 2 ? 0 : Self.columnPitch)
            boxes[index].y = Self.margin + Self.boxHeight / 2 + (isTop ? 0 : Self.rowPitch)
        }
        width = 2 * (Self.margin + side) + Self.boxWidth + Double(top - 1) * Self.columnPitch + (count == 1 ? 90 : 0)
        height = 2 * Self.margin + Self.boxHeight + (count == 1 ? 40 : Self.rowPitch)
    }

    var values: [String: Any] {
        [
            "id": String(number), "wide": boxes.count > 2, "title": PageText.clean(title), "width": Self.text(width),
            "height": Self.text(height), "boxes": boxes.map(values),
            "arrows": arrows.indices.map(arrow)
                + links.map { values($0.arrow, along: line(from: $0.from, to: $0.to)) },
        ]
    }

    private func values(_ box: Box) -> [String: Any] {
        [
            "x": Self.text(box.x - Self.boxWidth / 2), "y": Self.text(box.y - Self.boxHeight / 2),
            "width": Self.text(Self.boxWidth), "height": Self.text(Self.boxHeight), "textX": Self.text(box.x),
            "textY": Self.text(box.y + 4.5), "label": PageText.short(box.label, Self.labelLimit - 2),
            "full": PageText.clean(box.label), "closure": box.isClosure,
        ]
    }

    private func arrow(_ index: Int) -> [String: Any] {
        let line = route(from: boxes[index], to: boxes[(index + 1) % arrows.count], isBack: index == 1)
        return values(arrows[index], along: line)
    }

    private func values(_ arrow: Arrow, along line: Route) -> [String: Any] {
        [
            "path": line.path, "x": Self.text(line.x), "y": Self.text(line.y), "anchor": line.anchor,
            "dotX": Self.text(line.dotX), "dotY": Self.text(line.dotY),
            "dot": optional(arrow.via.isEmpty ? nil : PageText.clean("through " + arrow.via.joined(separator: ", "))),
            "suspect": arrow.isSuspect, "marker": arrow.isSuspect ? "s" : "a",
            "label": PageText.short(arrow.label, Self.labelLimit), "full": PageText.clean(arrow.label),
        ]
    }

    private func loop(at box: Box) -> Route {
        let (left, right, low) = (box.x - 40, box.x + 40, box.y + Self.boxHeight / 2)
        let path = "M\(Self.text(right)) \(Self.text(low))c0 36 -80 36 -80 0"
        return Route(path: path, x: right + 12, y: low + 24, anchor: "start", dotX: (left + right) / 2, dotY: low + 27)
    }

    /// From box to box, beside a line that leads back.
    private func line(from: Int, to: Int) -> Route {
        guard from != to else { return loop(at: boxes[from]) }
        let side = from < to ? 14.0 : -14.0
        var (start, end) = (boxes[from], boxes[to])
        guard start.y == end.y else {
            start.x += side
            end.x += side
            return straight(from: start, to: end)
        }
        start.y -= side / 2
        end.y -= side / 2
        var route = straight(from: start, to: end)
        if side < 0 { route.y = end.y + 16 }
        return route
    }

    private struct Route {
        var path: String
        var x: Double
        var y: Double
        var anchor: String
        var dotX: Double
        var dotY: Double
    }

    private func route(from: Box, to: Box, isBack: Bool) -> Route {
        let half = (Self.boxWidth / 2, Self.boxHeight / 2)
        if arrows.count == 1 { return loop(at: from) }
        if arrows.count == 2 {
            let x = from.x + (isBack ? -45 : 45)
            let (start, end) = isBack ? (from.y - half.1, to.y + half.1) : (from.y + half.1, to.y - half.1)
            let path = "M\(Self.text(x)) \(Self.text(start))V\(Self.text(end))"
            let middle = (start + end) / 2
            return Route(
                path: path, x: x + (isBack ? -12 : 12), y: middle + 4, anchor: isBack ? "end" : "start", dotX: x,
                dotY: middle)
        }
        return straight(from: from, to: to)
    }

    private func straight(from: Box, to: Box) -> Route {
        let half = (Self.boxWidth / 2, Self.boxHeight / 2)
        let (dx, dy) = (to.x - from.x, to.y - from.y)
        let reach = min(dx == 0 ? .infinity : half.0 / abs(dx), dy == 0 ? .infinity : half.1 / abs(dy))
        let start = (from.x + dx * reach, from.y + dy * reach)
        let end = (to.x - dx * reach, to.y - dy * reach)
        let middle = ((start.0 + end.0) / 2, (start.1 + end.1) / 2)
        let path = "M\(Self.text(start.0)) \(Self.text(start.1))L\(Self.text(end.0)) \(Self.text(end.1))"
        if dy == 0 {
            return Route(path: path, x: middle.0, y: middle.1 - 9, anchor: "middle", dotX: middle.0, dotY: middle.1)
        }
        // Labels stand outside the ring: right of what leads down, left of what leads up.
        return Route(
            path: path, x: middle.0 + (dy > 0 ? 14 : -14), y: middle.1 + 4, anchor: dy > 0 ? "start" : "end",
            dotX: middle.0, dotY: middle.1)
    }

    private static func text(_ value: Double) -> String { String(Int(value.rounded())) }
}
