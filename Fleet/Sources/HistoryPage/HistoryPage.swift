import GameprofBasics
import HistoryModel

/// A history as a page in one file: each scenario over its commits.
public enum HistoryPage {
    /// At most so large; what does not fit is left out and named.
    public static let sizeLimit = 2 << 20

    /// The HTML; the same for the same history.
    public static func render(_ histories: [ScenarioHistory]) -> String {
        var page = ""
        for limits in PageLimits.steps {
            page = Page(histories: histories, limits: limits).html
            if page.utf8.count <= sizeLimit { break }
        }
        return page
    }
}

/// How much a page shows. A page that is too big is made again with the next, narrower limits.
struct PageLimits {
    var scenarios: Int
    var findings: Int
    var figures: Int
    var points: Int
    var text: Int

    static let steps = [
        PageLimits(scenarios: 200, findings: 200, figures: 40, points: 400, text: 200),
        PageLimits(scenarios: 100, findings: 60, figures: 24, points: 300, text: 160),
        PageLimits(scenarios: 60, findings: 30, figures: 16, points: 200, text: 120),
        PageLimits(scenarios: 40, findings: 12, figures: 10, points: 120, text: 80),
        PageLimits(scenarios: 20, findings: 8, figures: 8, points: 60, text: 60),
    ]
}

private struct Page {
    let histories: [ScenarioHistory]
    let limits: PageLimits

    var html: String {
        let shown = histories.prefix(limits.scenarios)
        let verdict = verdict
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
            <title>\(text(verdict.sentence)) · history</title>
            <style>
            \(String(decoding: PageStyle.css, as: UTF8.self))
            \(String(decoding: PackageResources.history_css, as: UTF8.self))
            </style>
            </head>
            <body>
            <a class="skip" href="#content">Skip to the content</a>
            <header>
            <p class="tool">gameprof history</p>
            <h1>\(text(title))</h1>
            <p class="verdict \(verdict.kind)">\(text(verdict.sentence))</p>
            </header>
            <main id="content">
            \(shown.count > 1 ? contents(shown) : "")
            \(shown.enumerated().map { section($0.element, number: $0.offset) }.joined(separator: "\n"))
            \(histories.count > shown.count ? "<p class=\"more\">\(histories.count - shown.count) more scenarios are in the history; choose with --scenario.</p>" : "")
            </main>
            <script>
            \(String(decoding: PackageResources.history_js, as: UTF8.self))
            </script>
            </body>
            </html>

            """
    }

    private func text(_ value: String) -> String {
        let cut = value.unicodeScalars.count > limits.text
        let kept = cut ? String(String.UnicodeScalarView(value.unicodeScalars.prefix(limits.text))) + "…" : value
        return XMLText.escape(kept)
    }

    private var title: String {
        let branches = Set(histories.map(\.branch)).sorted()
        return branches.count == 1 ? "History of \(branches[0])" : "History"
    }

    private var verdict: (sentence: String, kind: String) {
        let open = histories.reduce(0) { $0 + $1.open.count }
        let worse = histories.reduce(0) { $0 + $1.worse.count }
        guard !histories.isEmpty else { return ("No runs yet", "unmeasured") }
        var parts: [String] = []
        if open > 0 { parts.append(NumberFormat.count(open, "open finding")) }
        if worse > 0 { parts.append("\(NumberFormat.count(worse, "figure")) got worse in the last 20 commits") }
        if parts.isEmpty { return ("No open findings, nothing got worse in the last 20 commits", "good") }
        return (parts.joined(separator: ", "), open > 0 ? "error" : "warning")
    }

    private func contents(_ shown: ArraySlice<ScenarioHistory>) -> String {
        let items = shown.enumerated().map { number, history in
            let open = history.open.count
            let state =
                open > 0
                ? "<span class=\"outcome error\">\(open) open</span>"
                : history.worse.isEmpty ? "" : "<span class=\"outcome warning\">worse</span>"
            return "<li><a href=\"#s\(number)\">\(text(history.scenario))</a> \(state)</li>"
        }
        return "<nav class=\"contents\" aria-label=\"Contents\"><ul>\(items.joined())</ul></nav>"
    }

    private func section(_ history: ScenarioHistory, number: Int) -> String {
        let commits = history.timeline.commits
        let trends = history.trends.prefix(limits.figures)
        let last = commits.last.map { " · last \($0.name.shortCommit), \(PageDate.day($0.committed))" } ?? ""
        let origin = history.origin.map { " · \($0.machine), \($0.toolchain)" } ?? ""
        var more: [String] = []
        if history.trends.count > trends.count { more.append("\(history.trends.count - trends.count) more figures") }
        if history.findings.count > limits.findings {
            more.append("\(history.findings.count - limits.findings) more findings")
        }
        return """
            <section id="s\(number)" aria-labelledby="s\(number)-title">
            <h2 id="s\(number)-title">\(text(history.scenario)) <span class="more">\(text(history.branch))</span></h2>
            <p class="more">\(NumberFormat.count(commits.count, "commit")), \(NumberFormat.count(history.timeline.runCount, "run"))\(text(last))\(text(origin))</p>
            \(findings(history))
            <div class="charts">\(trends.map { chart($0) }.joined(separator: "\n"))</div>
            \(more.isEmpty ? "" : "<p class=\"more\">\(more.joined(separator: " and ")) are in gameprof history show.</p>")
            </section>
            """
    }

    // MARK: - Findings

    private func findings(_ history: ScenarioHistory) -> String {
        guard !history.findings.isEmpty else { return "<p class=\"good\">No findings in any run.</p>" }
        let places = Dictionary(
            history.timeline.commits.enumerated().map { ($0.element.name, $0.offset) },
            uniquingKeysWith: { first, _ in first })
        let rows = history.findings.prefix(limits.findings).map { life in
            let color =
                life.state == .fixed
                ? "good" : life.state == .flaky || life.finding.severity == "warning" ? "warning" : "error"
            return
                "<tr><td class=\"word \(color)\">\(life.state.rawValue)</td><th scope=\"row\">\(text(life.finding.title))"
                + "<span class=\"why-line\">\(text(life.evidence))</span></th>"
                + "<td class=\"number\">\(NumberFormat.count(UInt64(clamping: life.finding.count)))</td>"
                + "<td class=\"number\">\(NumberFormat.bytes(UInt64(clamping: life.finding.bytes)))</td>"
                + "<td class=\"strip\">\(strip(life, places, count: history.timeline.commits.count, color))</td></tr>"
        }
        return """
            <div class="scroll" tabindex="0" role="region" aria-label="Findings"><table class="lives">
            <caption class="unseen">Findings</caption>
            <thead><tr><th scope="col"></th><th scope="col">finding</th><th scope="col" class="number">instances</th><th scope="col" class="number">bytes</th><th scope="col">commits</th></tr></thead>
            <tbody>\(rows.joined(separator: "\n"))</tbody></table></div>
            """
    }

    /// In which commits it was there.
    private func strip(_ life: FindingLife, _ places: [String: Int], count: Int, _ color: String) -> String {
        let scale = 120 / Double(max(1, count))
        let bars = life.periods.suffix(30).map { period in
            let (start, end) = (places[period.first] ?? 0, (period.resolved.flatMap { places[$0] } ?? count))
            return
                "<rect x=\"\(number(Double(start) * scale))\" width=\"\(number(max(2, Double(end - start) * scale)))\" y=\"1\" height=\"10\"/>"
        }
        return "<svg class=\"\(color)\" viewBox=\"0 0 120 12\" role=\"img\" aria-label=\"\(text(life.evidence))\">"
            + "<rect class=\"ground\" width=\"120\" height=\"12\"/>\(bars.joined())</svg>"
    }

    // MARK: - Figures

    private static let size = (width: 600.0, height: 120.0, left: 0.0, top: 8.0, bottom: 8.0)

    private func chart(_ trend: FigureTrend) -> String {
        let points = ChartPoints(trend, limit: limits.points)
        let size = Self.size
        func x(_ index: Int) -> Double {
            points.all.count < 2 ? size.width / 2 : Double(index) / Double(points.all.count - 1) * size.width
        }
        let span = points.top - points.bottom
        func y(_ value: Double) -> Double {
            let share = span > 0 ? (value - points.bottom) / span : 0.5
            return size.height - size.bottom - share * (size.height - size.top - size.bottom)
        }
        let line = points.all.enumerated().map { "\(number(x($0.offset))) \(number(y($0.element.value)))" }
            .joined(separator: "L")
        let marks = points.changes.map { change in
            let at = number(x(change.place))
            let color = change.after > change.before ? "worse" : "better"
            let label =
                "\(change.commit.shortCommit): \(trend.unit.text(change.before)) → \(trend.unit.text(change.after))"
            return
                "<line class=\"change \(color)\" x1=\"\(at)\" x2=\"\(at)\" y1=\"0\" y2=\"\(number(size.height))\"><title>\(text(label))</title></line>"
        }
        let dots =
            points.all.count == 1
            ? "<circle class=\"dot\" cx=\"\(number(x(0)))\" cy=\"\(number(y(points.all[0].value)))\" r=\"4\"/>" : ""
        let data = points.all.map {
            "\($0.commit.shortCommit)\t\(PageDate.day($0.committed))\t\(trend.unit.text($0.value))"
        }
        .joined(separator: "\n")
        let change = HistoryText.change(trend)
        let color = trend.latestChange.map { $0.after > $0.before ? "warning" : "good" } ?? ""
        return """
            <figure class="trend"><figcaption><b>\(text(trend.name))</b> <span class="now">\(text(trend.last.map(trend.unit.text) ?? ""))</span><span class="\(color)">\(text(change))</span></figcaption>
            <div class="plot-row"><div class="scale"><span>\(text(trend.unit.text(points.top)))</span><span>\(text(trend.unit.text(points.bottom)))</span></div>
            <svg viewBox="0 0 600 120" preserveAspectRatio="none" role="img" tabindex="0" aria-label="\(text("\(trend.name) over \(trend.points.count) commits\(change)"))" data-points="\(XMLText.escape(data, keepsLines: true))"><path class="curve" d="M\(line)"/>\(marks.joined())\(dots)<line class="cursor" y1="0" y2="120" hidden="hidden"/></svg></div>
            <p class="reading" aria-live="polite">\(text(points.range))</p></figure>
            """
    }

    private func number(_ value: Double) -> String {
        let text = NumberFormat.fixed(value, 1)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

/// A trend thinned for drawing.
struct ChartPoints {
    struct Point {
        var commit: String
        var committed: Int64
        var value: Double
    }
    struct Change {
        var place: Int
        var commit: String
        var before: Double
        var after: Double
    }

    var all: [Point]
    var changes: [Change]
    var bottom: Double
    var top: Double

    /// Of each stretch the first point stays, and every point at which the value changed.
    init(_ trend: FigureTrend, limit: Int) {
        let stride = max(1, (trend.points.count + limit - 1) / limit)
        let medians = trend.points.map { point in point.values.sorted()[point.values.count / 2] }
        let changed = trend.changedAt.suffix(limit)
        var kept = Set(Swift.stride(from: 0, to: trend.points.count, by: stride))
        kept.formUnion(changed)
        kept.insert(trend.points.count - 1)
        let order = kept.sorted()
        all = order.map {
            Point(commit: trend.points[$0].commit, committed: trend.points[$0].committed, value: medians[$0])
        }
        let scattering = Dictionary(trend.changes.map { ($0.index, $0) }, uniquingKeysWith: { first, _ in first })
        changes = changed.suffix(60).compactMap { index in
            guard let place = order.firstIndex(of: index), index > 0 else { return nil }
            let before = scattering[index]?.before ?? medians[index - 1]
            let after = scattering[index]?.after ?? medians[index]
            return Change(place: place, commit: trend.points[index].commit, before: before, after: after)
        }
        bottom = all.map(\.value).min() ?? 0
        top = all.map(\.value).max() ?? 0
        // A curve of small changes is not drawn as a cliff: the scale spans a tenth of the values at least.
        if top - bottom < top * 0.1 {
            let middle = (top + bottom) / 2
            (bottom, top) = (middle * 0.95, middle * 1.05)
        }
    }

    var range: String {
        guard let first = all.first, let last = all.last else { return "" }
        return "\(PageDate.day(first.committed)) to \(PageDate.day(last.committed))"
    }
}
