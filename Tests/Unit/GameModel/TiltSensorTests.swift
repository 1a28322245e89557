import GameModel
import Testing

@Suite struct TiltSensorTests {
    @Test func `a sensor is read at its interval while it is started`() throws {
        var readings = 0
        let sensor = try TiltSensor { (x: 0.3, y: 0) }
        sensor.advance(by: .seconds(1))
        sensor.start { if $0.x == 0.3 { readings += 1 } }
        sensor.advance(by: .milliseconds(99))
        #expect(readings == 0)
        sensor.advance(by: .milliseconds(201))
        #expect(readings == 3 && sensor.isRunning)
        sensor.stop()
        sensor.advance(by: .seconds(1))
        #expect(readings == 3 && !sensor.isRunning)
    }

    @Test func `a handler may stop its sensor, and a stopped one keeps no handler`() throws {
        final class Screen { var readings = 0 }
        let sensor = try TiltSensor { (x: 0, y: 0) }
        weak var kept: Screen?
        do {
            let screen = Screen()
            kept = screen
            sensor.start { _ in
                screen.readings += 1
                sensor.stop()
            }
        }
        #expect(kept != nil)
        sensor.advance(by: .seconds(1))
        #expect(kept == nil)
    }

    @Test(arguments: [Duration.zero, .seconds(-1)])
    func `an interval that is not above zero is refused`(interval: Duration) {
        #expect(throws: InputError.unusableInterval(interval)) {
            try TiltSensor(interval: interval) { (x: 0, y: 0) }
        }
    }
}
