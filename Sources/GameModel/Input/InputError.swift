/// Why an input could not be set up.
public enum InputError: Error, Equatable, Sendable {
    /// The thresholds of a ``TiltInput`` contradict each other.
    case unusableThresholds
    /// The view of a ``SwipeInput`` has no area.
    case unusableViewSize(width: Double, height: Double)
    /// The interval of a ``TiltSensor`` is not above zero.
    case unusableInterval(Duration)
}

extension InputError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unusableThresholds:
            "Tilt thresholds must be above zero, and no minimum may be above its maximum."
        case .unusableViewSize(let width, let height):
            "A view of \(width) × \(height) points has no area in which a tile could be touched."
        case .unusableInterval(let interval):
            "A sensor cannot be read every \(interval)."
        }
    }
}
