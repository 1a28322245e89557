import Foundation
import GameprofAnalysis
import GameprofBasics
import GameprofReport

/// Shows one moment of a process after the other, and answers keys meanwhile.
final class TopSession {
    private static let interval = 1.0
    /// Rows of each table where lines are printed.
    private static let batchRows = 10

    private let looks: TopLooks
    private let style: TextStyle
    private let terminal: TopTerminal?
    /// Nil: until somebody ends it.
    private let seconds: Double?
    private var view = TextTop.View()
    private var moment: TopMoment?
    private var time = ""
    private var isOver = false
    /// A filter is being typed.
    private var isTyping = false

    init(_ looks: TopLooks, _ style: TextStyle, _ terminal: TopTerminal?, seconds: Double?) {
        (self.looks, self.style, self.terminal, self.seconds) = (looks, style, terminal, seconds)
    }

    /// Until the process ends, the time is over, or somebody ends it.
    func run() throws {
        let signals = SignalForwarding.begin()
        SignalForwarding.unblockRequests()
        defer {
            terminal?.close()
            signals.end()
        }
        while !hasEnded {
            let left = seconds.map { $0 - looks.seconds } ?? .infinity
            let length = moment == nil ? min(Self.interval / 2, left) : min(Self.interval, left)
            guard
                let next = try looks.moment(
                    seconds: max(length, 0.001), isOver: answerKeys,
                    wantsEnd: { isOver || SignalForwarding.wasAskedToEnd })
            else {
                terminal?.close()
                try StandardOutput.write("The process has ended.\n")
                return
            }
            guard !hasEnded || terminal == nil else { return }
            // What is paused stays, and the process is sampled no more.
            while view.isPaused, !answerKeys() { usleep(20_000) }
            moment = next
            time = Self.clock
            try show()
        }
    }

    private var hasEnded: Bool {
        isOver || SignalForwarding.wasAskedToEnd || seconds.map { looks.seconds >= $0 } ?? false
    }

    private static var clock: String {
        var (now, parts) = (Foundation.time(nil), tm())
        localtime_r(&now, &parts)
        return [parts.tm_hour, parts.tm_min, parts.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }

    private func show() throws {
        guard let moment else { return }
        guard let terminal else {
            let text = TextTop(moment, view, style, width: style.width)
            return try StandardOutput.write(text.batch(rows: Self.batchRows, at: time).joined(separator: "\n") + "\n")
        }
        let size = terminal.size
        terminal.show(TextTop(moment, view, style, width: size.width).screen(height: size.height, at: time))
    }

    // MARK: - Keys

    /// Answers what was pressed; true: the interval is to end.
    private func answerKeys() -> Bool {
        let keys = terminal?.keys() ?? []
        for key in keys { isTyping ? type(key) : answer(key) }
        if !keys.isEmpty { try? show() }
        return hasEnded
    }

    private func type(_ key: TopTerminal.Key) {
        switch key {
        case .character(let character): view.filter.append(character)
        case .erase: view.filter = String(view.filter.dropLast())
        case .enter: isTyping = false
        case .escape: (isTyping, view.filter) = (false, "")
        case .up, .down: break
        }
        view.selected = 0
        view.message = isTyping ? "Filter: \(view.filter)▏  ⏎ keeps it, Esc removes it" : nil
    }

    private func answer(_ key: TopTerminal.Key) {
        view.message = nil
        switch key {
        case .character("q"): isOver = true
        case .character("0"), .escape: view = cleared(table: nil)
        case .character(let digit) where digit.isWholeNumber:
            let table = digit.wholeNumberValue.flatMap { TextTop.Table(rawValue: $0 - 1) }
            if let table { view = cleared(table: table) }
        case .character("s"):
            view.order = TextTop.Order(rawValue: (view.order.rawValue + 1) % TextTop.Order.allCases.count) ?? .first
            view.selected = 0
        case .character("p"), .character(" "): view.isPaused.toggle()
        case .character("/"):
            (isTyping, view.ways) = (true, nil)
            view.message = "Filter: \(view.filter)▏"
        case .up: select(view.selected - 1)
        case .down: select(view.selected + 1)
        case .enter: showWays()
        case .erase: view.filter = ""
        case .character: break
        }
    }

    private func cleared(table: TextTop.Table?) -> TextTop.View {
        var result = TextTop.View()
        (result.table, result.filter, result.isPaused) = (table, view.filter, view.isPaused)
        return result
    }

    private func select(_ row: Int) {
        guard let moment, let table = view.table, view.ways == nil else { return }
        let count = TextTop(moment, view, style, width: 80).count(of: table)
        view.selected = max(0, min(row, count - 1))
    }

    /// What holds the type in the row that is marked.
    private func showWays() {
        guard let moment else { return }
        guard view.table == .types else {
            view.message = "3 shows the types; ⏎ then shows what holds the marked one."
            return
        }
        guard view.ways == nil else {
            view.ways = nil
            return
        }
        guard let type = TextTop(moment, view, style, width: 80).type(inRow: view.selected) else { return }
        view.ways = (type, TextTop.lines(of: looks.ways(to: type), style: style))
    }
}
