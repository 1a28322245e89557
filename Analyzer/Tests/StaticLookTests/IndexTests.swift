import Foundation
import StaticFindingModel
import StaticLook
import Testing

/// What a build's index changes: names that other modules declare.
struct IndexTests {
    private static let core = [
        "Engine.swift": """
        public protocol EngineDelegate: AnyObject { func tick() }

        open class Machine {
            public var onStop: (() -> Void)?
            public init() {}
        }

        public final class Engine: Machine {
            public weak var delegate: (any EngineDelegate)?
            public var owner: AnyObject?
            public var announce: () -> Void { get { {} } set { newValue() } }
            public var onStart: () -> Void { get { {} } set { onStop = newValue } }
            private var handlers: [() -> Void] = []
            private let bus = Bus()

            public func subscribe(_ handler: @escaping () -> Void) { handlers.append(handler) }
            public func once(_ body: @escaping () -> Void) { body() }
            public func listen(_ handler: @escaping () -> Void) { bus.add(handler) }
            public static func make() -> Engine { Engine() }
            public func makeWheel() -> Wheel { Wheel() }

            public func keep(_ value: @escaping (Int) -> Void) { handlers.append { value(1) } }
            public func keep(_ value: @escaping (String) -> Void) { value("") }
        }
        """,
        "Bus.swift": """
        final class Bus {
            private var all: [() -> Void] = []
            func add(_ handler: @escaping () -> Void) { all.append(handler) }
        }

        public final class Wheel {
            public var onTurn: (() -> Void)?
            public var onBrake: (() -> Void)?
            public func stop() { onBrake = nil }
            init() {}
        }

        public final class Ticket {
            private var done: (() -> Void)?
            public init(_ done: @escaping (Int) -> Void) { done(1) }
            public init(_ done: @escaping (String) -> Void) { self.done = { done("") } }
            public final class State { public var hook: (() -> Void)? }
        }

        public typealias Token = () -> Void

        public struct Settings {
            public var onChange: (() -> Void)?
            public init() {}
        }
        """,
        "Part.swift": """
        open class Part { public init() {} }

        public final class World {
            private var parts: [Part] = []
            public func add(_ part: Part) { parts.append(part) }
            public init() {}
        }
        """,
    ]

    private static let app = [
        "Game.swift": """
        import Core

        final class Game: EngineDelegate {
            let engine = Engine()
            let plain = Engine.make()
            var settings = Settings()
            var count = 0

            func subscribes() { engine.subscribe { self.count += 1 } }
            func listens() { engine.listen { self.count += 1 } }
            func inherits() { engine.onStop = { self.count += 1 } }
            func guesses() { plain.subscribe { self.count += 1 } }
            func value() { settings.onChange = { self.count += 1 } }
            func owns() { engine.owner = self }
            func delegates() { engine.delegate = self }
            func announces() { engine.announce = { self.count += 1 } }
            func starts() { engine.onStart = { self.count += 1 } }
            func once() { engine.once { self.count += 1 } }
            func tick() {}
        }
        """,
        "Wheels.swift": """
        import Core

        final class Cart {
            let engine = Engine()
            lazy var wheel = engine.makeWheel()
            var count = 0

            func turns() { wheel.onTurn = { self.count += 1 } }
            func brakes() { wheel.onBrake = { self.count += 1 } }
            func keepsNumber() { engine.keep { (n: Int) in self.count += n } }
            func keepsText() { engine.keep { (text: String) in self.count += text.count } }
        }

        final class Booth {
            final class State { weak var hook: Booth? }
            final class Token { var booth: Booth? }
            let state = State()
            let token = Token()
            var ticket: Ticket?
            var count = 0

            func hooks() { state.hook = self }
            func tokens() { token.booth = self }
            func buysNumber() { ticket = Ticket { (n: Int) in self.count += n } }
            func buysText() { ticket = Ticket { (text: String) in self.count += text.count } }
        }

        extension Machine {
            func restart() { onStop = { self.restart() } }
        }

        final class Wing: Part {
            unowned let world: World
            init(world: World) { self.world = world }
        }
        """,
    ]

    /// Compiled once for all tests that change nothing.
    private static let modules: Result<IndexedModules, any Error> = Result {
        atexit { _ = try? FileManager.default.removeItem(atPath: IndexTests.modules.get().folder) }
        return try IndexedModules(core: core, app: app)
    }

    private static func suspects(_ index: IndexChoice? = nil) throws -> [String: StaticFinding] {
        let list = try modules.get().look(index)
        return Dictionary(list.suspects.map { ($0.function, $0) }, uniquingKeysWith: { first, _ in first })
    }

    @Test(arguments: [
        ("Game.subscribes()", "Engine.handlers"), ("Game.listens()", "Bus.all"), ("Game.inherits()", "Machine.onStop"),
        ("Game.starts()", "Machine.onStop"), ("Game.guesses()", "Engine.handlers"),
        ("Game.value()", "Settings.onChange"), ("Cart.turns()", "Wheel.onTurn"),
        ("Cart.keepsNumber()", "Engine.handlers"), ("Booth.buysText()", "Ticket.done"),
        ("Machine.restart()", "Machine.onStop"),
    ])
    func closureKeptByAnotherModuleIsSure(function: String, holder: String) throws {
        let found = try Self.suspects()[function]
        #expect(found?.rule == "stored-closure" && found?.holder == holder, "\(String(describing: found))")
        #expect(found?.confidence == .high && found?.unknowns == [])
        #expect(try Self.suspects(IndexChoice.none)[function]?.confidence != .high)
    }

    @Test(arguments: ["Game.delegates()", "Game.announces()", "Game.once()", "Cart.keepsText()", "Booth.buysNumber()"])
    func whatAnotherModuleDoesNotKeepIsNotReported(function: String) throws {
        #expect(try Self.suspects()[function] == nil)
    }

    @Test func whatSyntaxSuspectsIsClearedByTheDeclaration() throws {
        #expect(try Self.suspects(IndexChoice.none)["Game.announces()"]?.confidence == .medium)
        #expect(try Self.suspects()["Game.announces()"] == nil)
    }

    @Test func strongPropertyOfAnotherModuleIsReportedWhereItIsSet() throws {
        let found = try Self.suspects()["Game.owns()"]
        #expect(found?.rule == "back-reference" && found?.holder == "Engine.owner")
        #expect(
            found?.file.hasSuffix("App/Game.swift") == true && found?.source.contains("engine.owner = self") == true)
    }

    @Test func ownerInAnotherModuleClearsUnowned() throws {
        func count(_ index: IndexChoice) throws -> Int {
            try Self.modules.get().look(index).suspects.count { $0.rule == "unowned-outlived" }
        }
        #expect(try count(.none) == 1)
        #expect(try count(.store(Self.modules.get().store)) == 0)
    }

    @Test func ownTypesHideThoseOfOtherModules() throws {
        #expect(try Self.suspects()["Booth.hooks()"] == nil)
        #expect(try Self.suspects()["Booth.tokens()"]?.holder == "Token.booth")
    }

    @Test func useOfTheIndexIsReported() throws {
        let modules = try Self.modules.get()
        let use = try modules.look().index
        #expect(use?.files == 2 && use?.stale == [])
        #expect(use?.declaring == ["Bus.swift", "Engine.swift", "Part.swift"].map { modules.path("Core", $0) })
        #expect(try modules.look(IndexChoice.none).index == nil)
    }

    @Test func aFileIsNamedOnceInWhateverWay() {
        let whole = FileManager.default.currentDirectoryPath + "/Sources/A.swift"
        let use = IndexUse(store: "", stale: [whole]).adding(
            IndexUse(store: "", stale: ["Sources/A.swift", "B.swift"]))
        #expect(use.stale == ["B.swift", "Sources/A.swift"])
    }
}
