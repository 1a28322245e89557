import GameModel

/// Tilts a puzzle as its device is tilted, for as long as it is shown.
final class TiltController {
    private let puzzle: Puzzle
    private let sensor: TiltSensor
    private var input = TiltInput()

    init(puzzle: Puzzle, sensor: TiltSensor) {
        self.puzzle = puzzle
        self.sensor = sensor
    }

    deinit { sensor.stop() }

    var freeIndex: Int { puzzle.freeIndex }

    @inline(never)
    func show() {
        // The fault: the sensor keeps its handler until it is stopped, and the handler keeps the controller.
        sensor.start { self.tilt($0) }
    }

    /// The cure: a handler that does not keep the controller, whose deinitializer stops the sensor.
    @inline(never)
    func showWeakly() {
        sensor.start { [weak self] in self?.tilt($0) }
    }

    func hide() { sensor.stop() }

    func wait(_ time: Duration) { sensor.advance(by: time) }

    private func tilt(_ reading: TiltSensor.Reading) {
        input.tilt(puzzle, x: reading.x, y: reading.y)
    }
}

/// Loses a controller that is replaced while it is shown.
enum SensorCycle: Fault {
    static let name = "sensor-cycle"
    static let summary = "A started sensor's handler captures the controller, which is replaced before it is hidden."

    static func commit(presses: Int) {
        for _ in 0..<presses {
            guard let controller = makeController() else { continue }
            controller.show()
            controller.wait(.seconds(1))
            say("lost a controller that had moved the empty field to \(controller.freeIndex)")
        }
    }

    static func commitCured(presses: Int) {
        for _ in 0..<presses {
            guard let controller = makeController() else { continue }
            controller.showWeakly()
            controller.wait(.seconds(1))
            say("replaced a controller that had moved the empty field to \(controller.freeIndex)")
        }
    }

    @inline(never)
    static func makeController() -> TiltController? {
        guard let puzzle = try? Puzzle(), let sensor = try? TiltSensor(read: { (x: 0.3, y: 0) }) else { return nil }
        return TiltController(puzzle: puzzle, sensor: sensor)
    }
}
