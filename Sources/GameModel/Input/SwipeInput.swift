import Foundation

/// Turns swipes over a view that shows a ``Puzzle`` into moves of the tile under the finger.
public struct SwipeInput: Sendable {
    /// The size of the view, in points.
    public let viewSize: CGSize

    /// Creates an input for a view that the puzzle fills.
    ///
    /// - Throws: ``InputError/unusableViewSize(width:height:)`` unless both sides are finite and above zero.
    public init(viewSize: CGSize) throws(InputError) {
        let (width, height) = (Double(viewSize.width), Double(viewSize.height))
        guard width > 0, height > 0, width.isFinite, height.isFinite else {
            throw .unusableViewSize(width: width, height: height)
        }
        self.viewSize = viewSize
    }

    /// The position of a puzzle that lies under a point of the view.
    ///
    /// - Parameter point: in points, from the view's top left.
    /// - Returns: the index, or `nil` if the point is outside of the view.
    public func index(at point: CGPoint, in puzzle: Puzzle) -> Int? {
        guard
            let column = Self.cell(of: Double(point.x), along: Double(viewSize.width), count: puzzle.length),
            let row = Self.cell(of: Double(point.y), along: Double(viewSize.height), count: puzzle.length)
        else { return nil }
        return row * puzzle.length + column
    }

    /// The middle of a position of a puzzle, in points from the view's top left; `nil` if there is no such position.
    public func center(ofIndex index: Int, in puzzle: Puzzle) -> CGPoint? {
        guard (0..<puzzle.size).contains(index) else { return nil }
        let (row, column) = index.quotientAndRemainder(dividingBy: puzzle.length)
        let length = Double(puzzle.length)
        return CGPoint(
            x: (Double(column) + 0.5) * Double(viewSize.width) / length,
            y: (Double(row) + 0.5) * Double(viewSize.height) / length)
    }

    /// Moves the tile under a point.
    ///
    /// - Returns: whether it moved; a swipe outside of the view moves nothing.
    @discardableResult
    public func swipe(_ puzzle: Puzzle, at point: CGPoint, to direction: Direction) -> Bool {
        guard let index = index(at: point, in: puzzle) else { return false }
        return puzzle.moveItem(at: index, to: direction)
    }

    private static func cell(of offset: Double, along side: Double, count: Int) -> Int? {
        guard offset >= 0, offset < side else { return nil }
        // Rounding may carry a point just inside the far edge to the edge.
        return min(Int(offset / side * Double(count)), count - 1)
    }
}
