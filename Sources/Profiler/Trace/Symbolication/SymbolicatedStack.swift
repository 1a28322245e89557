import GameprofBasics

/// A frame with the names of the source.
public struct SymbolicatedFrame: Hashable, Sendable {
    /// Demangled and simplified: `Puzzle.tilt(to:)`. `image+0x1a2b` when nothing is known.
    public var function: String
    /// The Swift module of the function, or the image's file name where it has none.
    public var module: String = ""
    /// File name of the image: `gamelab`, `libswiftCore.so`.
    public var image: String = ""
    /// Path of the source file as the debug information names it.
    public var file: String?
    /// Line in `file`, from 1.
    public var line: Int?
    /// The function was inlined into the frame that follows.
    public var isInlined: Bool = false
    public var origin: FrameOrigin = .user
    /// Code that runtime and compiler put between the user's functions: reference counting, allocation, copies of
    /// memory, exclusivity checks, thunks. Its time is its caller's.
    public var isRuntimeSupport: Bool = false
    /// Of a function without a name the place where it begins, `image+0x1a00`, where that is known; nil: it has a name.
    public var start: String?
    /// The file belongs to another package than the program's.
    package var isOfPackage = false
    /// Of a closure: its caller gets a value from it.
    package var returnsValue = false
    /// The function stands for others of the same code, too.
    package var isMerged = false
}

extension SymbolicatedFrame {
    /// "Puzzle.swift:118"; nil when the debug information does not say.
    package var place: String? { SourceLocation.short(file: file, line: line) }

    /// The optimiser calls a specialization of a function through a rest of the function itself, which it inlines into
    /// the caller: the same function again, without a line.
    package func isForwarder(to inner: SymbolicatedFrame) -> Bool {
        isInlined && line == nil && function == inner.function && module == inner.module
    }
}

/// A stack with the names of the source, innermost frame first, inlined functions as frames of their own.
public struct SymbolicatedStack: Hashable, Sendable {
    public var frames: [SymbolicatedFrame]
    /// The stack goes on outwards, but was cut at the recorder's depth limit.
    public var isTruncated: Bool

    public init(frames: [SymbolicatedFrame] = [], isTruncated: Bool = false) {
        self.frames = frames
        self.isTruncated = isTruncated
    }

    /// A stack of frames as the addresses give them, without forwarders.
    init(joining frames: [SymbolicatedFrame], isTruncated: Bool) {
        let kept = frames.indices.filter { $0 == 0 || !frames[$0].isForwarder(to: frames[$0 - 1]) }
        self.init(frames: kept.map { frames[$0] }, isTruncated: isTruncated)
    }
}

/// A variable in an image's data, with the name of the source.
public struct SymbolicatedVariable: Hashable, Sendable {
    /// Demangled and simplified: `Cache.shared`; empty when no symbol is known.
    public var name: String
    /// File name of the image.
    public var image: String
    public var origin: FrameOrigin = .user
    /// With its module, where the symbol says it: `Game.Cache?`.
    package var type: String?
}

/// Gives addresses of the recorded process their names. Asking for many at once (`prepare`) is some hundred times
/// cheaper than asking one by one.
public protocol Symbolicating: AnyObject {
    /// Looks up all frames of `stacks` and all exact `addresses` (functions' starts) in batches.
    func prepare(stacks: Set<StackID>, addresses: Set<UInt64>)

    /// The frames of a stack; empty for `StackID.none`.
    func stack(_ id: StackID) -> SymbolicatedStack

    /// The frame of the stack tree: the functions inlined at its place first, then the one that holds them.
    func frames(at frame: FrameID) -> [SymbolicatedFrame]

    /// The function at an exact address (a closure's code, a metadata's destroyer), nil when no image holds it.
    func function(at address: UInt64) -> SymbolicatedFrame?

    /// The frames at an exact address, at which a function goes on: inlined ones first.
    func frames(atExact address: UInt64) -> [SymbolicatedFrame]

    /// The global variable whose memory holds an address, nil when no image does.
    func variable(at address: UInt64) -> SymbolicatedVariable?
}

extension Symbolicating {
    /// Knows no inlined functions.
    public func frames(atExact address: UInt64) -> [SymbolicatedFrame] { function(at: address).map { [$0] } ?? [] }

    /// Knows no variables.
    public func variable(at address: UInt64) -> SymbolicatedVariable? { nil }
}
