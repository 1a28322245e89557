import StaticFindingModel
import Testing

/// What a finding advises must not free what is in use, nor leave the object as it was.
struct AdviceTests {
    private func suspects(_ text: String) throws -> [StaticFinding] {
        try Sample(["main.swift": text]).look().suspects
    }

    private static func scopes(_ call: String) -> String {
        """
        final class Scope {
            var functions: [String: Lambda] = [:]
            func declare(_ name: String) { functions[name] = Lambda(scope: self) }
            func lambda(_ name: String) -> Lambda? { functions[name] }
        }
        final class Lambda {
            let scope: Scope
            init(scope: Scope) { self.scope = scope }
        }
        \(call)
        """
    }

    @Test(arguments: [
        "func make() -> Lambda? { let scope = Scope(); scope.declare(\"f\"); return scope.lambda(\"f\") }\nlet made = make()",
        "func add(_ scope: Scope) { scope.declare(\"f\") }\nadd(Scope())",
        "let all = [1, 2].map { _ in let scope = Scope(); scope.declare(\"f\"); return scope }",
    ])
    func whatMayBeTheLastReferenceIsNotMadeWeak(_ call: String) throws {
        let suspect = try #require(try suspects(Self.scopes(call)).first { $0.holder == "Lambda.scope" })
        #expect(suspect.fix.hasPrefix("clear Scope.functions"))
        #expect(suspect.confidence == .medium)
    }

    @Test(arguments: [
        "let scope = Scope()\nscope.declare(\"f\")",
        "func run() { let scope = Scope(); scope.declare(\"f\") }\nrun()",
        "func make() -> Scope { let scope = Scope(); return scope }\nlet scope = make()\nscope.declare(\"f\")",
        "struct Machine { let scope = Scope(); func run() { scope.declare(\"f\") } }\nMachine().run()",
        "final class Machine { var all: [Scope] = []; func run() { all.append(Scope()); all[0].declare(\"f\") } }\nMachine().run()",
    ])
    func whatSomethingElseHoldsIsMadeWeak(_ call: String) throws {
        let suspect = try #require(try suspects(Self.scopes(call)).first { $0.holder == "Lambda.scope" })
        #expect(suspect.fix.hasPrefix("make Lambda.scope weak"))
        #expect(suspect.confidence == .high)
    }

    private static func table(_ closure: String, _ type: String, _ call: String) -> String {
        """
        final class Table {
            var rows: [Int] = []
            var handler: (\(type))?
            func prepare() { handler = \(closure) }
        }
        \(call)
        """
    }

    @Test func aClosureThatReturnsAValueIsClearedFirst() throws {
        let text = Self.table("{ self.rows.count }", "() -> Int", "let table = Table()\ntable.prepare()")
        #expect(try suspects(text).map(\.fix).allSatisfy { $0.hasPrefix("clear Table.handler") })
        #expect(try suspects(text).count == 1)
    }

    @Test func whatOnlyTheClosureHoldsIsNotCapturedWeaklyAtOnce() throws {
        let closure = "{ self.rows.append(1) }"
        let alone = try suspects(Self.table(closure, "() -> Void", "Table().prepare()"))
        #expect(alone.map(\.fix).allSatisfy { $0.hasPrefix("clear Table.handler") })
        #expect(alone.count == 1 && alone[0].edit == nil)
        let held = try suspects(Self.table(closure, "() -> Void", "let table = Table()\ntable.prepare()"))
        #expect(held.map(\.fix) == ["capture self weakly: [weak self]"])
        #expect(held[0].edit != nil)
    }

    @Test func aFinishedStreamLetsItsTerminationHandlerGo() throws {
        func text(_ end: String) -> String {
            """
            final class Feed {
                private var continuation: AsyncStream<Int>.Continuation?
                private var listeners = 0
                func values() -> AsyncStream<Int> {
                    AsyncStream { continuation in
                        self.continuation = continuation
                        continuation.onTermination = { _ in self.listeners -= 1 }
                    }
                }
                func close() { \(end) }
            }
            let feed = Feed()
            let values = feed.values()
            feed.close()
            """
        }
        #expect(try suspects(text("continuation?.finish()")).map(\.confidence) == [.low])
        #expect(try suspects(text("continuation?.yield(1)")).map(\.confidence) == [.medium])
    }

    @Test func allReferencesThatHaveToGoAreNamed() throws {
        let text = """
            final class Document {
                var root: Element?
                func make(in parent: Element?) -> Element {
                    let made = Element(document: self, parent: parent)
                    if parent == nil { root = made }
                    return made
                }
            }
            final class Element {
                var document: Document
                var parent: Element?
                var children: [Element] = []
                init(document: Document, parent: Element?) {
                    self.document = document
                    self.parent = parent
                    parent?.children.append(self)
                }
            }
            let document = Document()
            let root = document.make(in: nil)
            let body = document.make(in: root)
            """
        let found = try suspects(text)
        #expect(found.map(\.holder) == ["Element.document", "Element.parent"])
        #expect(found.first?.fix.contains("Element.parent (line 11)") == true)
        #expect(found.last?.fix.contains("Element.document (line 10)") == true)
    }

    @Test func aSecondPathThroughATableOfHandlersIsNamed() throws {
        let text = """
            final class Room {
                private var members: [Member] = []
                private var handlers: [String: (String) -> Void] = [:]
                func join(_ member: Member) {
                    members.append(member)
                    handlers[member.name] = { text in member.receive(text) }
                }
            }
            final class Member {
                let name = "ann"
                private var room: Room?
                func enter(_ room: Room) {
                    self.room = room
                    room.join(self)
                }
                func receive(_ text: String) { print(text) }
            }
            let room = Room()
            let member = Member()
            member.enter(room)
            """
        let found = try suspects(text)
        #expect(found.map(\.holder) == ["Room.members", "Room.handlers"])
        #expect(found.first?.fix.contains("Room.handlers (line 6)") == true)
    }

    @Test func circlesOfObjectsNameTheirProperties() throws {
        let text = """
            final class Page {
                var next: Page?
                var previous: Page?
            }
            let first = Page()
            let second = Page()
            first.next = second
            second.previous = first
            second.next = first
            """
        let fixes = try suspects(text).map(\.fix)
        #expect(fixes.contains { $0.hasPrefix("make Page.previous or Page.next weak") })
        #expect(fixes.contains { $0.hasPrefix("set Page.next to nil") })
    }
}
