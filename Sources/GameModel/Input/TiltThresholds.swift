/// How far a device must be tilted before a ``TiltInput`` answers, and how level it must be before it answers again.
///
/// All values are accelerations in units of gravity, as an accelerometer reports them: 0 is level, 1 is upright.
public struct TiltThresholds: Equatable, Sendable {
    /// A tilt to the left or right begins beyond this value.
    public let horizontalMaximum: Double
    /// A tilt to the left or right has ended below this value.
    public let horizontalMinimum: Double
    /// A tilt up or down begins beyond this value.
    public let verticalMaximum: Double
    /// A tilt up or down has ended below this value.
    public let verticalMinimum: Double

    /// A fifth of gravity begins a tilt, a tenth ends it.
    public static let standard = TiltThresholds()

    /// Creates thresholds.
    ///
    /// - Throws: ``InputError/unusableThresholds`` unless 0 < minimum ≤ maximum < ∞ on both axes.
    public init(
        horizontalMaximum: Double, horizontalMinimum: Double, verticalMaximum: Double, verticalMinimum: Double
    ) throws(InputError) {
        guard
            0 < horizontalMinimum, horizontalMinimum <= horizontalMaximum, horizontalMaximum.isFinite,
            0 < verticalMinimum, verticalMinimum <= verticalMaximum, verticalMaximum.isFinite
        else { throw .unusableThresholds }
        self.horizontalMaximum = horizontalMaximum
        self.horizontalMinimum = horizontalMinimum
        self.verticalMaximum = verticalMaximum
        self.verticalMinimum = verticalMinimum
    }

    private init() {
        horizontalMaximum = 0.2
        horizontalMinimum = 0.1
        verticalMaximum = 0.2
        verticalMinimum = 0.1
    }
}
