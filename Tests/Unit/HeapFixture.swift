@testable import GameprofAnalysis
@testable import GameprofBasics
@testable import GameprofReport
@testable import GameprofTrace

/// Builds a small heap by hand: `node` adds objects, `refer` references.
final class HeapFixture: Symbolicating {
    private(set) var objects: [HeapObject] = []
    private(set) var references: [HeapReference] = []
    private var types: [String: TypeID] = [:]
    private var stacks: [StackID: SymbolicatedStack] = [:]
    private var functions: [UInt64: SymbolicatedFrame] = [:]
    private var table = TypeTable()
    var roots: [HeapRoot] = []
    var targets: [HeapTarget] = []
    /// What is lost in all, where the objects are a sample.
    var lost: [HeapCensusRecord] = []
    var variables: [UInt64: SymbolicatedVariable] = [:]
    var fork: ForkRecord?

    private func type(_ name: String, _ kind: TypeNameRecord.Kind) -> TypeID {
        let key = "\(kind) \(name)"
        if let known = types[key] { return known }
        let id = TypeID(UInt32(types.count + 1))
        types[key] = id
        table.add(TypeRecord(id: id, metadata: UInt64(id.rawValue) * 64))
        table.add(TypeNameRecord(kind: kind, metadata: UInt64(id.rawValue) * 64, name: name))
        return id
    }

    /// The number of a class.
    func typeID(_ name: String) -> TypeID { type(name, .classInstance) }

    @discardableResult
    func node(
        _ name: String, kind: TypeNameRecord.Kind = .classInstance, size: UInt64 = 32, strong: UInt32 = 1,
        flags: HeapObject.Flags = [.swift], stack: StackID = .none
    ) -> ObjectID {
        let id = ObjectID(UInt32(objects.count + 1))
        objects.append(
            HeapObject(
                id: id, flags: flags, address: UInt64(id.rawValue) << 8, size: size, type: type(name, kind),
                stack: stack, strong: strong))
        return id
    }

    func raw(size: UInt64, stack: StackID = .none, flags: HeapObject.Flags = []) -> ObjectID {
        let id = ObjectID(UInt32(objects.count + 1))
        objects.append(HeapObject(id: id, flags: flags, size: size, stack: stack))
        return id
    }

    func closure(flags: HeapObject.Flags = [.swift]) -> ObjectID { node("", kind: .local, size: 48, flags: flags) }

    func refer(
        _ from: ObjectID, _ label: String, _ to: ObjectID, kind: HeapReference.Kind = .field,
        ownership: Ownership = .strong, calling function: String? = nil, of origin: FrameOrigin = .user,
        at line: Int = 118, returnsValue: Bool = false, declaredIn superclass: String? = nil,
        flags: HeapReference.Flags = [], offset: UInt32 = 0, owner: String = ""
    ) {
        var address: UInt64 = 0
        if let function {
            address = self.function(named: function, at: line)
            functions[address]?.origin = origin
            functions[address]?.returnsValue = returnsValue
        }
        references.append(
            HeapReference(
                from: from, to: to, kind: kind, ownership: ownership, label: label, offset: offset, function: address,
                flags: flags, declaredType: superclass.map(typeID) ?? .none, owner: owner))
    }

    /// The address of a function of the user's.
    func function(named name: String) -> UInt64 { function(named: name, at: 118) }

    private func function(named name: String, at line: Int) -> UInt64 {
        let address = StableHash.of(name) &+ UInt64(line)
        functions[address] = SymbolicatedFrame(
            function: name, module: "Game", file: "/src/Puzzle.swift", line: line, origin: .user)
        return address
    }

    /// A stack of functions, innermost first.
    func stack(_ names: String..., of origin: FrameOrigin = .user) -> StackID {
        stack(
            names.enumerated().map { index, name in
                SymbolicatedFrame(
                    function: name, module: "Game", file: "/src/Game.swift", line: 10 + index, origin: origin)
            })
    }

    func stack(_ frames: [SymbolicatedFrame]) -> StackID {
        let id = StackID(UInt32(stacks.count + 1))
        stacks[id] = SymbolicatedStack(frames: frames)
        return id
    }

    func prepare(stacks: Set<StackID>, addresses: Set<UInt64>) {}
    func stack(_ id: StackID) -> SymbolicatedStack { stacks[id] ?? SymbolicatedStack() }
    func frames(at frame: FrameID) -> [SymbolicatedFrame] { stack(StackID(frame.rawValue)).frames }

    func function(at address: UInt64) -> SymbolicatedFrame? { functions[address] }
    func variable(at address: UInt64) -> SymbolicatedVariable? { variables[address] }

    var snapshot: HeapSnapshot {
        var snapshot = HeapSnapshot(
            begin: HeapBeginRecord(snapshot: SnapshotID(1)), objects: objects, references: references, roots: roots,
            targets: targets,
            end: HeapEndRecord(snapshot: SnapshotID(1), blocks: 1204, bytes: 317_440, swiftObjects: 900))
        snapshot.lost = lost
        return snapshot
    }

    var recording: Recording {
        var recording = Recording()
        recording.program = ProgramRecord(
            instruments: [.leaks], executable: "/games/gamelab", arguments: ["gamelab", "fault", "undo-cycle"])
        recording.exit = ProgramExitRecord(status: .code(0), wall: 840_000_000)
        recording.types = table
        recording.fork = fork
        recording.heapSnapshots = [snapshot]
        return recording
    }

    var graph: HeapGraph { HeapGraph(snapshot: snapshot, types: table) }

    func report(_ options: ReportOptions = ReportOptions()) -> Report {
        Report(ReportBuilder.build(recording: recording, symbolicator: self, options: options))
    }

    var findings: [Finding] { report().findings }

    /// The puzzle and its undo manager, as the book's fault makes them.
    func addUndoCycle(extraClosures: Int = 0, from stack: StackID = .none) {
        let puzzle = node("Game.Puzzle", size: 120, strong: 1 + UInt32(extraClosures), stack: stack)
        let manager = node("Game.UndoManager", size: 64)
        let storage = node("Swift._ContiguousArrayStorage<() -> ()>", size: 96)
        let tiles = node("Swift._ContiguousArrayStorage<Swift.Int>", size: 160)
        refer(puzzle, "undoManager.some", manager)
        refer(puzzle, "items", tiles)
        refer(manager, "undoStack", storage)
        for _ in 0...extraClosures {
            let context = closure()
            refer(
                storage, "", context, kind: .element,
                calling: "partial apply for closure #1 in Puzzle.tilt(to:countOffset:)")
            refer(context, "", puzzle, kind: .capture)
        }
    }
}
