// Objects whose counts go wrong while others still hold them, and some that are sound.
#if canImport(Glibc)
import Glibc
#endif

final class Board {
    var width: Int
    init(_ width: Int) { self.width = width }
    @inline(never) func flip() -> Int { width + 1 }
}

final class Other {
    var value: Int
    init(_ value: Int) { self.value = value }
}

final class Deck {
    var boards: [Board] = []
    @inline(never) func add(_ board: Board) { boards.append(board) }
    @inline(never) func play() -> Int { boards.reduce(0) { $0 + $1.flip() } }
    @_optimize(none) func playOn() -> Int { play() + boards[0].width }
    /// The culprit: the array still has what this gives back.
    @inline(never) func dismiss(_ board: Board) { Unmanaged.passUnretained(board).release() }
    @inline(never) func remove() { boards.removeLast() }
}

final class Coordinator {
    unowned(unsafe) var board: Board
    init(_ board: Board) { self.board = board }
    @inline(never) func start() -> Int { board.flip() }
}

nonisolated(unsafe) var total = 0
nonisolated(unsafe) var keptForever: UnsafeMutableRawPointer?

@inline(never) func makeBoard() -> Board { Board(Int(CommandLine.argc) + 2) }
@inline(never) func look(_ board: Board) -> Int { board.flip() + board.width }

/// The culprit: nobody gave it a reference to release.
@inline(never) func dropCarelessly(_ board: Board) { Unmanaged.passUnretained(board).release() }

/// The other culprit: nobody releases what it retains.
@inline(never) func keepCarelessly(_ board: Board) {
    total += Int(bitPattern: Unmanaged.passRetained(board).toOpaque()) & 1
}

@inline(never) func hand(_ board: Board) -> Unmanaged<Board> { Unmanaged.passRetained(board) }
@inline(never) func takeBack(_ reference: Unmanaged<Board>) { total += look(reference.takeRetainedValue()) }
@inline(never) func takeAgain(_ reference: Unmanaged<Board>) { total -= look(reference.takeRetainedValue()) * 3 }

@inline(never) func overRelease() {
    let deck = Deck()
    let board = makeBoard()
    deck.add(board)
    total += look(board)
    dropCarelessly(board)
    total += deck.play()
    withExtendedLifetime(board) {}
    total += deck.play()
}

@inline(never) func overTake() {
    let deck = Deck()
    deck.add(makeBoard())
    let reference = hand(deck.boards[0])
    takeBack(reference)
    takeAgain(reference)
    total += deck.play()
}

@inline(never) func dismissal() {
    let deck = Deck()
    deck.add(makeBoard())
    total += deck.play()
    deck.dismiss(deck.boards[0])
    total += deck.playOn()
}

@inline(never) func removal() -> Coordinator {
    let deck = Deck()
    deck.add(makeBoard())
    let coordinator = Coordinator(deck.boards[0])
    deck.remove()
    return coordinator
}

@inline(never) func makeCoordinator() -> Coordinator {
    let board = makeBoard()
    let coordinator = Coordinator(board)
    total += coordinator.start()
    withExtendedLifetime(board) {}
    return coordinator
}

@inline(never) func overRetain() {
    let board = makeBoard()
    total += look(board)
    keepCarelessly(board)
    total += look(board)
}

/// A change that is made millions of times is not to push out what comes later.
@inline(never) func fill() {
    let board = makeBoard()
    let boards = [Board](repeating: board, count: 3_000_000)
    total += look(boards[7])
    keepCarelessly(board)
}

/// Counts that many threads change at once.
@inline(never) func busy() {
    let boards = (0..<8).map { _ in makeBoard() }
    var threads: [pthread_t] = []
    for _ in 0..<4 {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(Deck())
        for board in boards { context.takeUnretainedValue().add(board) }
        pthread_create(
            &thread, nil,
            { context in
                let deck = Unmanaged<Deck>.fromOpaque(context!).takeRetainedValue()
                var sum = 0
                for _ in 0..<500 {
                    let copies = deck.boards.shuffled()
                    sum += copies.reduce(0) { $0 + look($1) }
                }
                return UnsafeMutableRawPointer(bitPattern: sum | 1)
            }, context.toOpaque())
        threads.append(thread)
    }
    for thread in threads { pthread_join(thread, nil) }
    let others = (0..<1000).map { Other($0) }
    total += others.reversed().reduce(0) { $0 + $1.value }
}

@main enum CountHistories {
    static func main() {
        switch CommandLine.arguments.last {
        case "over-release": overRelease()
        case "over-take": overTake()
        case "dismissal": dismissal()
        case "removal": total += removal().start()
        case "matched": total += makeCoordinator().start()
        case "over-retain": overRetain()
        case "fill": fill()
        case let path? where path.hasSuffix("once") && access(path, F_OK) != 0:
            close(creat(path, 0o600))
            dismissal()
        default: busy()
        }
        print("done", total & 0)
    }
}
