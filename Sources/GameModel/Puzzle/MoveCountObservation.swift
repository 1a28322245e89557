/// An observation of the number of moves of a ``Puzzle``, which ends when nothing keeps it any more.
public final class MoveCountObservation {
    let handler: (_ old: Int, _ new: Int) -> Void

    init(handler: @escaping (_ old: Int, _ new: Int) -> Void) {
        self.handler = handler
    }
}

/// What the puzzle knows of an observation.
struct WeakMoveCountObservation {
    weak var observation: MoveCountObservation?
}
