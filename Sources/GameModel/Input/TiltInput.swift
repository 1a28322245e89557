/// Turns the readings of an accelerometer into tilts of a ``Puzzle``: one tilt each time the device is tilted,
/// and the next one only after it was level in between.
public struct TiltInput: Sendable {
    /// Where a tilt begins and ends.
    public let thresholds: TiltThresholds

    /// Whether the device was level since the last tilt.
    public private(set) var isLevel = true

    /// Creates an input that takes the device for level.
    public init(thresholds: TiltThresholds = .standard) {
        self.thresholds = thresholds
    }

    /// Takes in one reading.
    ///
    /// - Parameters:
    ///   - x: the acceleration to the right, in units of gravity.
    ///   - y: the acceleration upwards along the screen, in units of gravity.
    /// - Returns: the direction of a tilt that begins with this reading, else `nil`. The x axis goes first.
    public mutating func direction(x: Double, y: Double) -> Direction? {
        let tilted: Direction?
        if abs(x) > thresholds.horizontalMaximum {
            tilted = x < 0 ? .left : .right
        } else if abs(y) > thresholds.verticalMaximum {
            tilted = y < 0 ? .down : .up
        } else {
            tilted = nil
            // A reading that is not a number is below no threshold.
            if abs(x) < thresholds.horizontalMinimum && abs(y) < thresholds.verticalMinimum { isLevel = true }
        }
        guard isLevel, let tilted else { return nil }
        isLevel = false
        return tilted
    }

    /// Takes in one reading and tilts the puzzle if a tilt begins with it.
    ///
    /// - Returns: whether a tile moved.
    @discardableResult
    public mutating func tilt(_ puzzle: Puzzle, x: Double, y: Double) -> Bool {
        guard let direction = direction(x: x, y: y) else { return false }
        return puzzle.tilt(to: direction)
    }
}
