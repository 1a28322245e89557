/// A game on a terminal: takes actions, lets frames pass and draws itself.
protocol InteractiveGame: AnyObject {
    /// Does what the player wants. What is not possible changes nothing.
    func perform(_ action: Action)

    /// A sixtieth of a second passes.
    func advance()

    /// What a click on this cell of the screen means.
    func action(forClickAt row: Int, _ column: Int) -> Action?

    /// The screen from its top, with colours.
    var lines: [String] { get }

    /// How the game stands, in a line without colours; the same for the same actions in the same frames.
    var summary: String { get }
}

extension TerminalInput {
    /// What this input means in a game; nil: nothing.
    func action(in game: some InteractiveGame) -> Action? {
        switch self {
        case .arrow(let direction): .tilt(direction)
        case .click(let row, let column): game.action(forClickAt: row, column)
        case .character("h"), .character("a"): .tilt(.left)
        case .character("l"), .character("d"): .tilt(.right)
        case .character("k"), .character("w"): .tilt(.up)
        case .character("j"), .character("x"): .tilt(.down)
        case .character(" "), .character("f"): .flip
        case .character("u"): .undo
        case .character("r"): .redo
        case .character("s"): .shuffle
        case .character("q"): .quit
        case .character: nil
        }
    }
}
