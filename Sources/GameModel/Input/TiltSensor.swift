/// An accelerometer that is read at an interval while it is started: when its screen is shown, until it is hidden.
///
/// Time passes by ``advance(by:)``, which the game's loop calls. A sensor belongs to one thread.
public final class TiltSensor {
    /// Accelerations to the right and upwards along the screen, in units of gravity.
    public typealias Reading = (x: Double, y: Double)

    /// The time between two readings.
    public let interval: Duration

    /// Reads the device.
    private let read: () -> Reading
    private var handler: ((Reading) -> Void)?
    private var elapsed = Duration.zero

    /// Creates a sensor that is stopped.
    ///
    /// - Throws: ``InputError/unusableInterval(_:)`` unless the interval is above zero.
    public init(interval: Duration = .milliseconds(100), read: @escaping () -> Reading) throws(InputError) {
        guard interval > .zero else { throw .unusableInterval(interval) }
        self.interval = interval
        self.read = read
    }

    /// Whether it is started.
    public var isRunning: Bool { handler != nil }

    /// Calls `handler` with a reading after each interval from now on, in place of an earlier one, and keeps it until
    /// ``stop()``.
    public func start(handler: @escaping (Reading) -> Void) {
        self.handler = handler
        elapsed = .zero
    }

    /// Ends the readings and lets go of the handler.
    public func stop() {
        handler = nil
    }

    /// Lets time pass: a reading for each interval that ends in it.
    public func advance(by time: Duration) {
        elapsed += time
        while elapsed >= interval, let handler {
            elapsed -= interval
            handler(read())
        }
    }
}
