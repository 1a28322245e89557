import Testing

@testable import GameprofAnalysis
@testable import GameprofBasics
@testable import GameprofTrace

@Suite struct HistoryTests {
    private static let board = TypeID(1)
    private static let card = TypeID(2)

    private static func change(
        _ kind: CountChangeRecord.Kind, type: TypeID = board, thread: UInt32 = 1, strong: UInt32 = 1, at time: UInt64
    ) -> CountChangeRecord {
        CountChangeRecord(kind: kind, object: 16, type: type, thread: ThreadID(thread), strong: strong, time: time)
    }

    /// Memory is used again: what a board went through is not told of a card.
    @Test func anObjectHasNoHistoryOfAnotherThatLivedThereBefore() {
        let lives = ObjectLifetimes([
            Self.change(.born, at: 1), Self.change(.retain, strong: 2, at: 2), Self.change(.born, at: 5),
            Self.change(.release, strong: 0, at: 6),
        ])
        #expect(lives.life(of: 16, type: Self.board).map(\.time) == [5, 6])
        #expect(lives.life(of: 16, type: Self.board, before: 3).map(\.time) == [1, 2])
        #expect(lives.life(of: 16, type: Self.card).isEmpty)
        #expect(lives.life(of: 32, type: Self.board).isEmpty)
    }

    @Test func whatACountShowsAndNobodySawIsAStep() {
        let life = [Self.change(.born, at: 1), Self.change(.retain, strong: 3, at: 2)]
        let steps = RefCountEvent.steps(of: life) { _ in SymbolicatedStack() }
        #expect(steps.map(\.isUnseen) == [false, true, false])
        #expect(steps.map(\.record.strong) == [1, 2, 3])
    }

    /// Whatever numbers stand in a trace.
    @Test func countsBeyondAllReasonEndNothing() {
        let life = [
            Self.change(.born, strong: 0, at: 1), Self.change(.retain, thread: 2, strong: .max, at: 2),
            Self.change(.release, thread: 2, strong: .max - 1, at: 3),
        ]
        #expect(RefCountEvent.steps(of: life) { _ in SymbolicatedStack() }.last?.record.strong == UInt32.max - 1)
    }

    private static func step(
        _ kind: CountChangeRecord.Kind, times: UInt32, in functions: [String], byHand: Bool
    ) -> RefCountEvent? {
        var frames = functions.map { SymbolicatedFrame(function: $0) }
        if byHand {
            let function = kind == .release ? "Unmanaged.release()" : "Unmanaged.retain()"
            frames.insert(SymbolicatedFrame(function: function, origin: .runtime), at: 0)
        }
        return RefCountEvent(
            CountChangeRecord(kind: kind, object: 16, times: times, time: 0), stack: SymbolicatedStack(frames: frames))
    }

    /// Equal changes in a row are one step, which is paired as they would be one by one.
    @Test(arguments: 0..<60)
    func aStepIsPairedByItsWeight(seed: Int) {
        var numbers = SplitMix(state: UInt64(seed))
        let functions = ["Board.deal()", "Board.deinit", "Deck.init(_:)", "play()", "Deck.add(_:)"]
        var steps: [RefCountEvent] = []
        var units: [RefCountEvent] = []
        var owners: [Int] = []
        for position in 0..<12 {
            let kind: CountChangeRecord.Kind = Bool.random(using: &numbers) ? .retain : .release
            let stack = functions.shuffled(using: &numbers).prefix(.random(in: 1...3, using: &numbers))
            let byHand = Int.random(in: 0..<4, using: &numbers) == 0
            let times = UInt32.random(in: 1...4, using: &numbers)
            steps += Self.step(kind, times: times, in: Array(stack), byHand: byHand).map { [$0] } ?? []
            for _ in 0..<times {
                units += Self.step(kind, times: 1, in: Array(stack), byHand: byHand).map { [$0] } ?? []
                owners.append(position)
            }
        }
        let weighed = OwnershipPairing(steps)
        let counted = OwnershipPairing(units)
        #expect(weighed.gains == Set(counted.gains.map { owners[$0] }).sorted())
        #expect(
            steps.indices.filter(weighed.isLocal)
                == steps.indices.filter { position in
                    units.indices.allSatisfy { owners[$0] != position || counted.isLocal($0) }
                })
    }

    @Test("where inlining left two gains to one function, its release may be of either")
    func inlinedRetain() throws {
        let born = try #require(Self.step(.born, times: 1, in: ["Curve.init()", "develop()"], byHand: false))
        let inlined = try #require(Self.step(.retain, times: 1, in: ["develop()"], byHand: false))
        let byHand = try #require(Self.step(.retain, times: 1, in: ["measure()", "develop()"], byHand: true))
        let release = try #require(Self.step(.release, times: 1, in: ["develop()"], byHand: false))
        let optimised = OwnershipPairing([born, inlined, release])
        #expect(optimised.gains == [0])
        #expect(optimised.rivals(of: 0) == [1])
        let plain = OwnershipPairing([born, byHand, release])
        #expect(plain.gains == [1])
        #expect(plain.rivals(of: 1) == [])
        #expect(OwnershipPairing([born, inlined]).rivals(of: 0) == [])
    }

    @Test("a caller's release may be of the reference that it was made with, or of a later one that was handed out")
    func handedOut() throws {
        let born = try #require(
            Self.step(.born, times: 1, in: ["Scratch.init()", "Scratch.current.getter", "work()"], byHand: false))
        let taken = try #require(Self.step(.retain, times: 1, in: ["Scratch.current.getter", "work()"], byHand: false))
        let release = try #require(Self.step(.release, times: 1, in: ["work()"], byHand: false))
        let pairing = OwnershipPairing([born, taken, release, taken, release])
        #expect(pairing.gains.count == 1)
        #expect(pairing.gains.allSatisfy { pairing.rivals(of: $0).contains(0) })
        let kept = try #require(Self.step(.retain, times: 1, in: ["keep(_:)", "work()"], byHand: false))
        let careless = OwnershipPairing([born, kept, release])
        #expect(careless.gains == [1])
        #expect(careless.rivals(of: 1) == [])
    }

    private static func remedy(
        after conclusion: CountHistory.Conclusion, sourcesCountAt retains: [String]
    ) -> Finding.Remedy {
        let places = Finding.CountedByHand(retains: retains, deallocations: [])
        var finding = AnalyzedFinding(
            .lostObject, remedy: .releaseLost(maker: nil, isRetainable: true, among: retains.isEmpty ? nil : places),
            signature: "", type: "Voice")
        finding.add(AnalyzedHistory(facts: CountHistory(changes: []), conclusion: conclusion))
        return finding.remedy
    }

    @Test("a history replaces the retain that the sources write only by what the compiler does not balance")
    func historyAndSources() {
        let site = Finding.Site(function: "play()", place: "Game.swift:9")
        let written = CountHistory.Conclusion.unreleasedRetain([site], isByHand: false)
        #expect(Self.remedy(after: written, sourcesCountAt: []) == .balanceCounts(written, heldBy: nil))
        #expect(Self.remedy(after: written, sourcesCountAt: ["Game.swift:9"]) == .balanceCounts(written, heldBy: nil))
        #expect(Self.remedy(after: written, sourcesCountAt: ["Game.swift:11"]) == .balanceCounts(written, heldBy: nil))
        #expect(
            Self.remedy(after: written, sourcesCountAt: ["OtherGame.swift:9"]) != .balanceCounts(written, heldBy: nil))
        #expect(Self.remedy(after: written, sourcesCountAt: ["Game.swift:36"]) != .balanceCounts(written, heldBy: nil))
        let byHand = CountHistory.Conclusion.unreleasedRetain([site], isByHand: true)
        #expect(Self.remedy(after: byHand, sourcesCountAt: ["Game.swift:36"]) == .balanceCounts(byHand, heldBy: nil))
        let birth = CountHistory.Conclusion.unreleasedBirth([site])
        #expect(Self.remedy(after: birth, sourcesCountAt: []) != .balanceCounts(birth, heldBy: nil))
    }
}
