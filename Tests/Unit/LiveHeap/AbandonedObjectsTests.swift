import Testing

@testable import GameprofAnalysis
@testable import GameprofBasics
@testable import GameprofTrace

@Suite struct AbandonedObjectsTests {
    private static let closure = "closure #1 in Screen.init()"

    /// Screens that a list of handlers holds by closures; `count` of them.
    private static func handlers(_ count: Int, closure: String = closure) -> (heap: LiveHeapFixture, screens: [Int]) {
        var heap = LiveHeapFixture()
        let stack = heap.names.stack("Screen.init()", "main")
        let bus = heap.object("Game.Bus")
        let list = heap.object("Swift._ContiguousArrayStorage<() -> ()>")
        heap.root(bus)
        heap.refer(bus, "handlers", list)
        let screens = (0..<count).map { _ in
            let screen = heap.object("Game.Screen", stack: stack)
            let context = heap.object("", kind: .local)
            heap.refer(list, "", context, calling: closure)
            heap.refer(context, "", screen)
            return screen
        }
        return (heap, screens)
    }

    /// - Parameter end: events of the run; the screens were made by the hundredth.
    private static func groups(_ heap: LiveHeapFixture, made: UInt64 = 10, freed: UInt64 = 0, end: UInt64 = 120)
        -> [AbandonedObjects.Group]
    {
        var allocations = AllocationSummary()
        allocations.lastAllocation = end
        var counts = AllocationCounts()
        counts.allocations = made
        counts.frees = freed
        var row = StackAllocations(stack: StackID(1), type: .none, counts: counts)
        (row.firstEvent, row.lastEvent) = (10, 100)
        allocations.byStack = [row]
        return AbandonedObjects(
            heap.ownership, births: StackBirths(allocations), types: heap.types, symbolicator: heap.names
        ).groups()
    }

    @Test("objects that only closures of their own hold are abandoned") func handlersOfABus() {
        let (heap, screens) = Self.handlers(3)
        let groups = Self.groups(heap)
        #expect(groups.map(\.type) == ["Game.Screen"])
        #expect(groups.first?.members == screens.map(UInt32.init))
    }

    @Test("two objects are too few") func few() { #expect(Self.groups(Self.handlers(2).heap).isEmpty) }

    @Test("objects that something else holds too are wanted") func window() {
        var (heap, screens) = Self.handlers(3)
        let window = heap.object("Game.Window")
        heap.root(window)
        for screen in screens { heap.refer(window, "screens", screen) }
        #expect(Self.groups(heap).isEmpty)
    }

    @Test("what an object holds itself may refer to it") func backReference() {
        var (heap, screens) = Self.handlers(3)
        for screen in screens {
            let view = heap.object("Game.View")
            heap.refer(screen, "view", view)
            heap.refer(view, "screen", screen)
        }
        #expect(Self.groups(heap).map(\.type) == ["Game.Screen"])
    }

    @Test("closures of its own that hold an object besides its registrations are named")
    func ownClosures() {
        var (heap, screens) = Self.handlers(3)
        for screen in screens {
            let (button, context) = (heap.object("Game.Button"), heap.object("", kind: .local))
            heap.refer(screen, "quit", button)
            heap.refer(button, "onPress", context, calling: "closure #2 in Screen.init()")
            heap.refer(context, "", screen)
        }
        let (groups, others) = (Self.groups(heap), Self.groups(Self.handlers(3).heap))
        #expect(groups.first?.ownClosures.count == 1 && others.first?.ownClosures.isEmpty == true)
    }

    @Test("closures of other code hold what it works on")
    func closuresOfOthers() {
        #expect(Self.groups(Self.handlers(3, closure: "closure #1 in Rules.add(_:)").heap).isEmpty)
    }

    @Test("objects of which others were freed come and go") func comeAndGo() {
        #expect(Self.groups(Self.handlers(3).heap, freed: 5).isEmpty)
    }

    @Test("objects that were all made at the beginning are parts of the program") func madeAtTheBeginning() {
        #expect(Self.groups(Self.handlers(3).heap, end: 1_000).isEmpty)
    }

    @Test("a closure that a variable holds is no registration") func variable() {
        var heap = LiveHeapFixture()
        let stack = heap.names.stack("Screen.init()", "main")
        for _ in 0..<3 {
            let (screen, context) = (heap.object("Game.Screen", stack: stack), heap.object("", kind: .local))
            heap.root(context)
            heap.refer(context, "", screen)
        }
        #expect(Self.groups(heap).isEmpty)
    }

    @Test("the handle of a registration may lie in what the object holds") func ownedHandle() {
        var heap = LiveHeapFixture()
        let stack = heap.names.stack("open()", "main")
        let center = heap.object("Foundation.NotificationCenter")
        heap.root(center)
        for _ in 0..<3 {
            let (screen, receiver) = (
                heap.object("Game.Screen", stack: stack), heap.object("Foundation.Receiver", strong: 2)
            )
            let bag = heap.object("Swift._ContiguousArrayStorage<Any>")
            heap.refer(center, "observers", receiver)
            heap.refer(receiver, "block", screen, calling: "closure #1 in open()")
            heap.refer(screen, "tokens", bag)
            heap.refer(bag, "", receiver)
        }
        #expect(Self.groups(heap).map(\.type) == ["Game.Screen"])
    }
}
