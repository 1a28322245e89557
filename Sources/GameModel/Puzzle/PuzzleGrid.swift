/// The geometry of a square board: which index is beside which, and which way leads there.
struct PuzzleGrid {
    let length: Int

    var size: Int { length * length }

    func contains(_ index: Int) -> Bool {
        (0..<size).contains(index)
    }

    /// The index from which a tile comes when it moves in `direction` to `index`; `nil` beyond the edge.
    func source(ofTileMoving direction: Direction, to index: Int) -> Int? {
        neighbor(of: index, towards: direction.reversed)
    }

    /// The index at which a tile from `index` arrives when it moves in `direction`; `nil` beyond the edge.
    func destination(ofTileMoving direction: Direction, from index: Int) -> Int? {
        neighbor(of: index, towards: direction)
    }

    /// The direction in which a tile has to move so that the empty field gets from `freeIndex` closer to `index`:
    /// vertically until the rows match, then horizontally, `nil` on the spot.
    func tiltDirection(from freeIndex: Int, to index: Int) -> Direction? {
        let (row, column) = index.quotientAndRemainder(dividingBy: length)
        let (freeRow, freeColumn) = freeIndex.quotientAndRemainder(dividingBy: length)
        if row != freeRow { return row > freeRow ? .up : .down }
        if column != freeColumn { return column > freeColumn ? .left : .right }
        return nil
    }

    private func neighbor(of index: Int, towards direction: Direction) -> Int? {
        guard contains(index) else { return nil }
        let neighbor =
            switch direction {
            case .up: index - length
            case .right: index + 1
            case .down: index + length
            case .left: index - 1
            }
        // index ± 1 may exist and yet lie at the other end of the board, in the next or previous row.
        let sharesLine = neighbor / length == index / length || neighbor % length == index % length
        return contains(neighbor) && sharesLine ? neighbor : nil
    }
}
