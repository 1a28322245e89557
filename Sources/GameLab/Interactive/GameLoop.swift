/// Sixty frames a second: takes in what was typed, or what was recorded, lets the game advance and draws it.
struct GameLoop {
    var game: any InteractiveGame
    /// Where it is drawn and where keys come from; nil: without a terminal.
    var terminal: Terminal?
    /// Steps of a recorded session, played instead of keys; nil: the player plays.
    var replay: [Session.Step]?
    var writer: SessionWriter?
    /// Without a terminal a replay takes no time, unless it is paced.
    var isPaced = true

    private var screen = Screen()
    private var decoder = TerminalInputDecoder()
    private var frame = 0
    private var nextStep = 0
    private var isOver = false

    /// Frames after the last step of a replay: what the game does by itself comes to its end.
    private static let framesAfterReplay = 60

    init(game: any InteractiveGame) { self.game = game }

    /// Plays to the end and returns how regularly frames came.
    mutating func run() throws -> FrameTimes {
        var times = FrameTimes()
        var deadline = MonotonicClock.now
        while !isOver {
            deadline += FrameTimes.frame
            try perform(actions(until: deadline))
            game.advance()
            draw()
            if isPaced { times.note(MonotonicClock.now) }
            // After a stop the missed frames are not made up for.
            if MonotonicClock.now > deadline + 10 * FrameTimes.frame { deadline = MonotonicClock.now }
            frame += 1
        }
        return times
    }

    /// What the player does in this frame, or did when it was recorded.
    private mutating func actions(until deadline: UInt64) -> [Action] {
        let typed = isPaced ? wait(until: deadline) : []
        guard let steps = replay else { return typed.compactMap { $0.action(in: game) } }
        if typed.contains(.character("q")) { return [.quit] }
        if frame > (steps.last?.frame ?? 0) + Self.framesAfterReplay { return [.quit] }
        var due: [Action] = []
        while nextStep < steps.count, steps[nextStep].frame <= frame {
            due.append(steps[nextStep].action)
            nextStep += 1
        }
        return due
    }

    private mutating func wait(until deadline: UInt64) -> [TerminalInput] {
        guard let terminal else {
            MonotonicClock.sleep(until: deadline)
            return []
        }
        var inputs: [TerminalInput] = []
        repeat {
            guard let bytes = terminal.read(until: deadline) else {
                isOver = true
                return inputs
            }
            inputs += decoder.decode(bytes)
        } while MonotonicClock.now < deadline
        return inputs
    }

    private mutating func perform(_ actions: [Action]) throws {
        for action in actions where !isOver {
            try writer?.write(Session.Step(frame: frame, action: action))
            game.perform(action)
            if action == .quit { isOver = true }
        }
    }

    private mutating func draw() {
        guard let terminal else { return }
        if TerminalRestoration.takeStale() { screen.forget() }
        let update = screen.update(to: game.lines, rows: terminal.size.rows)
        if !update.isEmpty, !terminal.write(update) { isOver = true }
    }
}
