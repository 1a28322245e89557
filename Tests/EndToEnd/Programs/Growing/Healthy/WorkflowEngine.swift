// Orders go through states handled by actors; finished orders are kept as the day's report.
import Foundation

enum State: Int, Sendable { case received, paid, packed, sent }
final class OrderLine: Sendable {
    let article: Int, count: Int
    init(article: Int, count: Int) {
        self.article = article
        self.count = count
    }
}
final class Order: @unchecked Sendable {
    let id: Int
    let lines: [OrderLine]
    var state = State.received
    var notes: [String] = []
    init(id: Int, lines: [OrderLine]) {
        self.id = id
        self.lines = lines
    }
}
struct ReportRow: Sendable {
    let id: Int
    let articles: Int
    let steps: Int
}
actor Stock {
    private var counts: [Int: Int] = [:]
    func take(_ article: Int, _ count: Int) -> Bool {
        let there = counts[article] ?? 500
        guard there >= count else {
            counts[article] = 500
            return false
        }
        counts[article] = there - count
        return true
    }
}
actor Report {
    private var rows: [ReportRow] = []
    func add(_ row: ReportRow) { rows.append(row) }
    var summary: (orders: Int, articles: Int) { (rows.count, rows.reduce(0) { $0 + $1.articles }) }
}
actor Engine {
    private var open: [Int: Order] = [:]
    private let stock = Stock()
    private let report: Report
    init(report: Report) { self.report = report }
    func receive(_ order: Order) { open[order.id] = order }
    func turn() async {
        for order in open.values.sorted(by: { $0.id < $1.id }) {
            switch order.state {
            case .received:
                order.state = .paid
                order.notes.append("paid by card ending in \(order.id % 10_000)")
            case .paid:
                var complete = true
                for line in order.lines where await !stock.take(line.article, line.count) { complete = false }
                if complete {
                    order.state = .packed
                    order.notes.append("packed \(order.lines.count) lines")
                }
            case .packed:
                order.state = .sent
                order.notes.append("sent")
            case .sent:
                await report.add(
                    ReportRow(id: order.id, articles: order.lines.reduce(0) { $0 + $1.count }, steps: order.notes.count)
                )
                open[order.id] = nil
            }
        }
    }
    var waiting: Int { open.count }
}
@main struct Main {
    static func main() async {
        let report = Report()
        let engine = Engine(report: report)
        for id in 0..<800 {
            await engine.receive(
                Order(id: id, lines: (0..<(1 + id % 5)).map { OrderLine(article: (id * 7 + $0) % 40, count: 1 + $0) }))
            if id % 3 == 0 { await engine.turn() }
        }
        let summary = await report.summary
        print(summary.orders, "sent", summary.articles, "articles", await engine.waiting, "open")
    }
}
