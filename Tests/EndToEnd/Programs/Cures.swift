// Cycles whose cure is easily named wrongly: what cannot be weak, what a macro or a library declares, variables of closures.
import Foundation
import Observation

@main enum Program {
    static func main() { run(cases) }
}

@inline(never) func capturedVariable() {
    var step: ((Int) -> Void)?
    step = { number in if number > 0 { step?(number - 1) } }
    step?(3)
}
@inline(never) func capturedVariableBesideAnObject() {
    let part = Part()
    var step: ((Int) -> Void)?
    step = { number in
        part.number += number
        if number > 0 { step?(number - 1) }
    }
    step?(3)
}
@inline(never) func twoVariables() {
    var ping: ((Int) -> Void)?
    var pong: ((Int) -> Void)?
    ping = { number in if number > 0 { pong?(number - 1) } }
    pong = { number in if number > 0 { ping?(number - 1) } }
    ping?(3)
}

@Observable final class Model {
    var value = 0
    func watch() {
        withObservationTracking {
            touch(value)
        } onChange: {
            self.value += 1
        }
    }
}
@inline(never) func observed() { Model().watch() }

protocol Sink {}
final class Inner<Downstream: Sink>: Owner {
    let downstream: Downstream
    init(_ downstream: Downstream) { self.downstream = downstream }
}
final class Drain: Sink {
    let source: any Sink
    init(_ source: any Sink) { self.source = source }
}
final class Pipe: Sink {
    var inner: Any?
}
@inline(never) func generic() {
    let pipe = Pipe()
    pipe.inner = Inner(pipe)
}

enum Link {
    case none
    case to(Chain)
}
final class Chain {
    var link = Link.none
}
@inline(never) func enumPayload() {
    let (a, b) = (Chain(), Chain())
    a.link = .to(b)
    b.link = .to(a)
}

final class Save: Operation, @unchecked Sendable {}
@inline(never) func dependencies() {
    let (a, b) = (Save(), Save())
    a.addDependency(b)
    b.addDependency(a)
}

final class Ticker: Owner {
    func start() {
        touch(Timer(timeInterval: 1, repeats: true) { _ in self.tick() })
    }
    @inline(never) func tick() { number += 1 }
}
@inline(never) func timer() { Ticker().start() }

final class Screen {
    var view: Panel?
    var taps = 0
}
final class Panel {
    let onTap: () -> Void
    init(_ screen: Screen) { onTap = { screen.taps += 1 } }
}
@inline(never) func constant() {
    let screen = Screen()
    screen.view = Panel(screen)
}

final class Name {
    var changed: (() -> Void)?
}
final class Age {
    var changed: (() -> Void)?
}
final class Form: Owner {
    let (name, age) = (Name(), Age())
    @inline(never) func bind(_ text: String) { name.changed = { self.number += text.count } }
    @inline(never) func bind(_ number: Int) { age.changed = { self.number += number } }
}
@inline(never) func overloads() {
    let form = Form()
    form.bind("a")
    form.bind(1)
}

final class Engine {
    var gear: Gear?
}
final class Gear {
    var engine: Engine?
}
final class Crew {
    var driver: Driver?
}
final class Driver {
    var crew: Crew?
    var engine: Engine?
}
/// The second cycle holds the first.
@inline(never) func connected() {
    let (engine, gear, crew, driver) = (Engine(), Gear(), Crew(), Driver())
    (engine.gear, gear.engine) = (gear, engine)
    (crew.driver, driver.crew, driver.engine) = (driver, crew, engine)
}

let cases: Cases = [
    "captured-variable": capturedVariable, "captured-variable-beside-an-object": capturedVariableBesideAnObject,
    "two-variables": twoVariables, "observed": observed, "generic": generic, "enum-payload": enumPayload,
    "dependencies": dependencies, "timer": timer, "constant": constant, "overloads": overloads, "connected": connected,
]
