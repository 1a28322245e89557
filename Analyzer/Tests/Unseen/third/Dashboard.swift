import Foundation

extension Notification.Name {
    static let metricArrived = Notification.Name("metricArrived")
    static let themeChanged = Notification.Name("themeChanged")
    static let quotaChanged = Notification.Name("quotaChanged")
}

struct Metric {
    let key: String
    let value: Double
}

final class ObserverToken {
    private let center: NotificationCenter
    private let token: NSObjectProtocol

    init(_ center: NotificationCenter, _ token: NSObjectProtocol) {
        self.center = center
        self.token = token
    }

    deinit {
        center.removeObserver(token)
    }
}

extension NotificationCenter {
    func observe(_ name: Notification.Name, _ block: @escaping (Notification) -> Void) -> ObserverToken {
        ObserverToken(self, addObserver(forName: name, object: nil, queue: nil) { note in block(note) })
    }
}

// MARK: - Panels

final class GaugePanel {
    private let key: String
    private var current = 0.0
    private var token: NSObjectProtocol?
    private let center: NotificationCenter

    init(key: String, center: NotificationCenter = .default) {
        self.key = key
        self.center = center
        token = center.addObserver(forName: .metricArrived, object: nil, queue: nil) { note in
            guard let metric = note.object as? Metric, metric.key == self.key else { return }
            self.current = metric.value
        }
    }

    var text: String { "\(key): \(current)" }

    deinit {
        if let token { center.removeObserver(token) }
    }
}

final class SparklinePanel {
    private var points: [Double] = []
    private let capacity = 30
    private var tokens: [ObserverToken] = []
    private lazy var peak: Double = {
        self.points.max() ?? 0
    }()

    init(center: NotificationCenter = .default) {
        tokens.append(center.observe(.metricArrived) { [weak self] note in
            guard let self, let metric = note.object as? Metric else { return }
            self.append(metric.value)
        })
        tokens.append(center.observe(.themeChanged) { [weak self] _ in
            self?.points.removeAll()
        })
    }

    private func append(_ value: Double) {
        points.append(value)
        if points.count > capacity { points.removeFirst(points.count - capacity) }
    }

    var text: String { "spark \(points.count) peak \(peak)" }
}

final class TablePanel {
    private var rows: [String: Double] = ["cpu": 0, "mem": 0]
    private let decimals: Int

    private lazy var formatRow: (String, Double) -> String = { key, value in
        let rounded = (value * pow(10, Double(self.decimals))).rounded() / pow(10, Double(self.decimals))
        return "\(key)=\(rounded)"
    }

    private lazy var order: (String, String) -> Bool = { [unowned self] a, b in
        (self.rows[a] ?? 0) > (self.rows[b] ?? 0)
    }

    init(decimals: Int) {
        self.decimals = decimals
    }

    func update(_ metric: Metric) {
        guard rows[metric.key] != nil else { return }
        rows[metric.key] = metric.value
    }

    func render() -> String {
        rows.keys.sorted(by: order).map { formatRow($0, rows[$0] ?? 0) }.joined(separator: " ")
    }
}

// MARK: - Refreshing

final class RefreshController {
    private var timer: Timer?
    private(set) var refreshes = 0
    var onRefresh: ((Int) -> Void)?

    func start(every interval: TimeInterval) {
        timer?.invalidate()
        timer = Timer.scheduledTimer(withTimeInterval: interval, repeats: true) { _ in
            self.refreshes += 1
            self.onRefresh?(self.refreshes)
        }
    }

    deinit {
        timer?.invalidate()
    }
}

final class SplashAnimator {
    private var frame = 0
    private let frames = 4

    func play() {
        DispatchQueue.main.asyncAfter(deadline: .now() + 0.01) {
            self.frame += 1
            if self.frame < self.frames { self.play() }
        }
    }
}

final class QuotaWatcher {
    private var timer: Timer?
    private var checks = 0
    private var token: ObserverToken?

    func start() {
        timer = Timer.scheduledTimer(withTimeInterval: 0.01, repeats: true) { [weak self] _ in
            self?.checks += 1
        }
        token = NotificationCenter.default.observe(.quotaChanged) { [unowned self] _ in
            self.checks = 0
        }
        DispatchQueue.main.asyncAfter(deadline: .now() + 0.02) {
            self.report()
        }
    }

    private func report() { print("quota checks so far:", checks > 0) }

    deinit { timer?.invalidate() }
}

// MARK: - Screen

final class DashboardScreen {
    private let gauge = GaugePanel(key: "cpu")
    private let sparkline = SparklinePanel()
    private let table = TablePanel(decimals: 1)
    private let refresh = RefreshController()
    private let quota = QuotaWatcher()

    func appear() {
        SplashAnimator().play()
        quota.start()
        refresh.onRefresh = { [table] n in
            table.update(Metric(key: "mem", value: Double(n) * 1.25))
        }
        refresh.start(every: 0.01)
    }

    func feed(_ metric: Metric) {
        NotificationCenter.default.post(name: .metricArrived, object: metric)
        table.update(metric)
    }

    func draw() -> String {
        [gauge.text, sparkline.text, table.render()].joined(separator: " | ")
    }
}

func visit(_ n: Int) {
    let screen = DashboardScreen()
    screen.appear()
    for i in 0..<5 { screen.feed(Metric(key: i % 2 == 0 ? "cpu" : "mem", value: Double(i * n))) }
    RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.06))
    print(screen.draw())
}

for n in 1...3 { visit(n) }
RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.1))
