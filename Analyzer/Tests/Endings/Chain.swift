// Lost: three objects, tied by init and a method; a lazy closure
final class Engine {
    var gearbox: Gearbox?  // leak
    private var revs = 0
}
final class Gearbox {
    let engine: Engine  // leak
    var wheel: Wheel?
    init(engine: Engine) {
        self.engine = engine
        engine.gearbox = self
    }
}
final class Wheel {
    private(set) var turns = 0
    private lazy var spin: () -> Void = { self.turns += 1 }  // leak
    func turn() { spin() }
}
func drive() {
    let engine = Engine()
    let box = Gearbox(engine: engine)
    box.wheel = Wheel()
    box.wheel?.turn()
}
drive()
