@testable import GameprofAnalysis
@testable import GameprofBasics
@testable import GameprofReport
@testable import GameprofTrace

/// Recordings of samples, by small calls. Functions are named frames; equal names are one function.
final class TimeFixture: Symbolicating {
    private(set) var recording = Recording()
    private var named: [FrameID: [SymbolicatedFrame]] = [:]
    private var known: [[SymbolicatedFrame]: FrameID] = [:]
    /// Return addresses by what stands there.
    private var pcs: [[SymbolicatedFrame]: UInt64] = [:]

    init() {
        recording.sampling = SamplingRecord(period: 1_000_000, waitPeriod: 10_000_000, sentence: "Sampled by hand.")
        recording.program = ProgramRecord(instruments: [.time], executable: "/bin/game", arguments: ["game"])
        recording.wallNanoseconds = 1_000_000_000
    }

    /// Path of the program's file.
    var program: String {
        get { recording.program?.executable ?? "" }
        set { recording.program?.executable = newValue }
    }

    var period: UInt64 {
        get { recording.sampling?.period ?? 0 }
        set {
            recording.sampling = SamplingRecord(period: newValue, waitPeriod: newValue, sentence: "Sampled by hand.")
        }
    }

    /// A frame of the user's.
    static func user(_ name: String, line: Int? = nil, isInlined: Bool = false) -> SymbolicatedFrame {
        SymbolicatedFrame(
            function: name, module: "Game", image: "game", file: line.map { _ in "/src/Game.swift" }, line: line,
            isInlined: isInlined)
    }

    /// A frame of the runtime's.
    static func plumbing(_ name: String) -> SymbolicatedFrame {
        SymbolicatedFrame(
            function: name, module: "Swift", image: "libswiftCore.so", origin: .runtime, isRuntimeSupport: true)
    }

    /// `count` samples of a stack, outermost function first.
    func sample(
        _ names: String..., count: Int = 1, thread: UInt32 = 1, kind: SampleRecord.Kind = .computing,
        work: WorkRecord = WorkRecord(kind: .unknown)
    ) {
        sample(frames: names.map { [Self.user($0)] }, count: count, thread: thread, kind: kind, work: work)
    }

    /// The same with frames; each stands with those that are inlined into it, innermost first.
    func sample(
        frames: [[SymbolicatedFrame]], count: Int = 1, thread: UInt32 = 1, kind: SampleRecord.Kind = .computing,
        work: WorkRecord = WorkRecord(kind: .unknown), holder: UInt32 = 0
    ) {
        let stack = stack(of: frames)
        let work = recording.samples.index(of: work)
        for number in 0..<count {
            let time = UInt64(recording.samples.entries.count + number) * 1_000_000
            recording.samples.add(
                SampleRecord(kind: kind, stack: stack, time: time), thread: ThreadID(thread),
                work: work, holder: ThreadID(holder))
        }
    }

    /// What a stack allocated.
    func allocate(frames: [[SymbolicatedFrame]], count: UInt64, bytes: UInt64) {
        var counts = AllocationCounts()
        (counts.allocations, counts.bytes) = (count, bytes)
        recording.allocations.byStack.append(
            StackAllocations(stack: stack(of: frames), type: TypeID(0), counts: counts))
        recording.allocations.totals.allocations += count
        recording.allocations.totals.bytes += bytes
        recording.program?.instruments.insert(.allocations)
    }

    /// Retains or releases by the innermost frame, and of those `sampled` that the whole stack stands for.
    func count(
        frames: [[SymbolicatedFrame]], type: TypeID = .none, releases: Bool = false, isAtomic: Bool = true,
        calls: UInt64 = 0, immortal: UInt64 = 0, sampled: UInt64 = 0
    ) {
        let stack = stack(of: frames)
        if sampled > 0 {
            recording.referenceCounts.add(
                ReferenceCountingRecord(
                    call: .init(stack: stack, type: type, releases: releases, isAtomic: isAtomic), isSampled: true,
                    tally: .init(calls: sampled)))
        }
        guard let innermost = frames.last, calls > 0 else { return }
        let pc = recording.frames.frame(stack.innermostFrame)?.pc ?? 0
        let site = FrameID(UInt32(100_000 + pc))
        recording.frames.add(FrameRecord(id: site, parent: .none, pc: pc))
        named[site] = innermost
        recording.referenceCounts.add(
            ReferenceCountingRecord(
                call: .init(stack: StackID(site.rawValue), type: type, releases: releases, isAtomic: isAtomic),
                isSampled: false, tally: .init(calls: calls, changes: calls, immortal: immortal)))
    }

    /// Calls that were not counted.
    func miss(_ calls: UInt64) {
        recording.referenceCounts.add(
            ReferenceCountingRecord(
                call: .init(stack: .none, type: .none, releases: false, isAtomic: true), isSampled: false,
                tally: .init(calls: calls)))
    }

    /// A type with a name.
    func type(_ name: String) -> TypeID {
        let id = TypeID(UInt32(recording.types.ids.count + 1))
        recording.types.add(TypeRecord(id: id, metadata: UInt64(id.rawValue) * 64))
        recording.types.add(TypeNameRecord(kind: .classInstance, metadata: UInt64(id.rawValue) * 64, name: name))
        return id
    }

    private func stack(of frames: [[SymbolicatedFrame]]) -> StackID {
        var parent = FrameID.none
        var path: [SymbolicatedFrame] = []
        for frame in frames {
            path += frame.reversed()
            let id = known[path] ?? FrameID(UInt32(known.count + 1))
            if known[path] == nil {
                let pc = pcs[frame] ?? UInt64(pcs.count + 1) * 16
                pcs[frame] = pc
                recording.frames.add(FrameRecord(id: id, parent: parent, pc: pc))
                known[path] = id
                named[id] = frame
            }
            parent = id
        }
        return StackID(parent.rawValue)
    }

    /// One sample of a stack of one function, at any time.
    func sample(_ name: String, at time: UInt64) {
        sample(name)
        guard let stack = recording.samples.entries.last?.stack else { return }
        recording.samples.add(SampleRecord(kind: .computing, stack: stack, time: time), thread: ThreadID(1))
    }

    /// It was ready, without a processor, for so long until it was looked at.
    func unscheduled(thread: UInt32, milliseconds: UInt32, at time: UInt64) {
        recording.unscheduled[ThreadID(thread), default: []].append(
            UnscheduledRecord(microseconds: milliseconds * 1_000, time: time))
    }

    func spend(thread: UInt32, cpu: UInt64, system: UInt64 = 0, lost: UInt64 = 0, name: String? = nil) {
        recording.threadTimes.append(
            ThreadTimeRecord(thread: ThreadID(thread), cpu: cpu, system: system, lost: lost))
        recording.threadNames[ThreadID(thread)] = name
    }

    func profile(keepsRuntimeFrames: Bool = false) -> Profile {
        ProfileBuilder.build(recording, symbolicator: self, keepsRuntimeFrames: keepsRuntimeFrames)
    }

    func report() -> Report { Report(ReportBuilder.build(recording: recording, symbolicator: self)) }

    /// Two threads, a recursion, the runtime, a wait.
    static var game: TimeFixture {
        let time = TimeFixture()
        time.sample("main", "Game.play()", "Board.deal()", count: 70)
        time.sample("main", "Game.play()", "Board.draw()", "Board.draw()", count: 20)
        time.sample(frames: [[user("main")], [user("Game.play()", line: 7)], [plumbing("swift_retain")]], count: 10)
        time.sample("work", "Board.draw()", count: 50, thread: 2)
        time.sample("work", "Queue.pop()", count: 5, thread: 2, kind: .waiting)
        time.spend(thread: 1, cpu: 101_000_000, name: "main")
        time.spend(thread: 2, cpu: 52_000_000, system: 2_000_000, lost: 1, name: "worker")
        return time
    }

    func prepare(stacks: Set<StackID>, addresses: Set<UInt64>) {}

    func frames(at frame: FrameID) -> [SymbolicatedFrame] { named[frame] ?? [] }

    func stack(_ id: StackID) -> SymbolicatedStack {
        SymbolicatedStack(frames: recording.frames.frames(of: id).flatMap { named[$0.id] ?? [] })
    }

    func function(at address: UInt64) -> SymbolicatedFrame? { nil }
}

extension Report.Hotspots {
    subscript(_ function: String) -> FunctionRow? { functions.first { $0.function == function } }
}
