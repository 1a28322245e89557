import GameprofBasics
import GameprofTrace

/// Makes the profile of a recording.
public struct ProfileBuilder {
    private let recording: Recording
    private let symbolicator: any Symbolicating
    private let keepsRuntimeFrames: Bool
    private var profile = Profile()
    private var functions: [FunctionKey: Profile.FunctionID] = [:]
    private var frames: [Profile.Frame: Profile.FrameID] = [:]
    private var nodes: [Profile.Node: Profile.NodeID] = [:]
    /// Nodes of frames of the trace; −1: not made yet.
    private var nodeOfFrame: [Int]
    private var threads: [ThreadID: Int] = [:]

    /// Names all stacks in batches and puts them into a tree. Linear in the samples and in the frames of the trace.
    /// - Parameter keepsRuntimeFrames: false: reference counting, allocation, thunks and the like are no frames of their
    ///   own; their time is that of the function that needed them.
    public static func build(
        _ recording: Recording, symbolicator: any Symbolicating, keepsRuntimeFrames: Bool = false
    ) -> Profile {
        var named = recording
        ThreadNames.addStarts(to: &named, symbolicator)
        var builder = ProfileBuilder(named, symbolicator, keepsRuntimeFrames)
        return builder.build()
    }

    private init(_ recording: Recording, _ symbolicator: any Symbolicating, _ keepsRuntimeFrames: Bool) {
        self.recording = recording
        self.symbolicator = symbolicator
        self.keepsRuntimeFrames = keepsRuntimeFrames
        nodeOfFrame = Array(repeating: -1, count: recording.frames.count)
    }

    private mutating func build() -> Profile {
        profile.period = recording.sampling?.period ?? 0
        profile.waitPeriod = recording.sampling?.waitPeriod ?? 0
        profile.method = recording.sampling?.sentence ?? ""
        profile.startUnixNanoseconds = recording.startUnixNanoseconds
        profile.wall = recording.wallNanoseconds
        profile.program = recording.program?.executable.split(separator: "/").last.map(String.init) ?? "?"
        profile.title = ([profile.program] + (recording.program?.arguments.dropFirst() ?? [])).joined(separator: " ")
        symbolicator.prepare(stacks: recording.samples.stacks, addresses: [])
        profile.works = recording.samples.works
        for entry in recording.samples.entries { add(entry) }
        profile.samples.sort { ($0.time, $0.thread) < ($1.time, $1.thread) }
        orderThreads()
        return profile
    }

    private mutating func add(_ entry: SampleTable.Entry) {
        let period = entry.kind == .computing ? profile.period : profile.waitPeriod
        let weight = UInt64(entry.weight).multipliedReportingOverflow(by: period)
        var sample = Profile.Sample(
            time: entry.time, end: entry.end, thread: thread(entry.thread), node: node(of: entry.stack),
            weight: weight.overflow ? 0 : weight.partialValue, count: Int(entry.count), kind: entry.kind,
            work: entry.work < 0 ? nil : Int(entry.work))
        if !entry.holder.isNone { sample.holder = thread(entry.holder) }
        profile.samples.append(sample)
    }

    // MARK: - Threads

    private mutating func thread(_ id: ThreadID) -> Int {
        if let index = threads[id] { return index }
        let name = recording.threadNames[id].map(ThreadNames.readable) ?? "thread \(id)"
        profile.threads.append(Profile.Thread(id: id, name: name))
        threads[id] = profile.threads.count - 1
        return profile.threads.count - 1
    }

    /// Fills the threads' times in and puts the busiest first.
    private mutating func orderThreads() {
        for time in recording.threadTimes {
            let index = thread(time.thread)
            profile.threads[index].cpu &+= time.cpu
            profile.threads[index].system &+= time.system
            profile.threads[index].lost &+= time.lost
        }
        var sampled = [UInt64](repeating: 0, count: profile.threads.count)
        for sample in profile.samples where sample.kind == .computing { sampled[sample.thread] &+= sample.weight }
        for index in sampled.indices where profile.threads[index].cpu == 0 {
            profile.threads[index].cpu = sampled[index]
        }
        let order = profile.threads.indices.sorted {
            (profile.threads[$1].cpu, profile.threads[$0].id) < (profile.threads[$0].cpu, profile.threads[$1].id)
        }
        var place = [Int](repeating: 0, count: order.count)
        for (new, old) in order.enumerated() { place[old] = new }
        profile.threads = order.map { profile.threads[$0] }
        for index in profile.samples.indices {
            profile.samples[index].thread = place[profile.samples[index].thread]
            profile.samples[index].holder = profile.samples[index].holder.map { place[$0] }
        }
        numberEqualNames()
    }

    /// `worker 1`, `worker 2`: the busiest first.
    private mutating func numberEqualNames() {
        let counts = Dictionary(profile.threads.map { ($0.name, 1) }, uniquingKeysWith: +)
        var numbers: [String: Int] = [:]
        for index in profile.threads.indices {
            let name = profile.threads[index].name
            guard counts[name, default: 1] > 1 else { continue }
            numbers[name, default: 0] += 1
            profile.threads[index].name = "\(name) \(numbers[name, default: 1])"
        }
    }

    // MARK: - Stacks

    /// Frames of one stack beyond this many are cut at the outer end: a damaged trace may hold a circle.
    private static let depthLimit = 4096

    /// The innermost node of a stack. One that is the runtime's alone keeps its frames: they are nobody else's.
    private mutating func node(of stack: StackID) -> Profile.NodeID {
        let node = foldedNode(of: stack)
        guard node == .root, !stack.isNone else { return node }
        var kept = Profile.NodeID.root
        for frame in recording.frames.frames(of: stack).reversed() {
            for place in symbolicator.frames(at: frame.id).reversed() { kept = child(of: kept, place) }
        }
        return kept
    }

    private mutating func foldedNode(of stack: StackID) -> Profile.NodeID {
        var chain: [FrameID] = []
        var next = stack.innermostFrame
        var node = Profile.NodeID.root
        while chain.count < Self.depthLimit, let frame = recording.frames.frame(next) {
            if nodeOfFrame[next.index] >= 0 {
                node = Profile.NodeID(nodeOfFrame[next.index])
                break
            }
            chain.append(next)
            next = frame.parent
        }
        for id in chain.reversed() {
            for frame in symbolicator.frames(at: id).reversed() where !isFolded(frame) {
                node = child(of: node, frame)
            }
            nodeOfFrame[id.index] = node.index
        }
        return node
    }

    private func isFolded(_ frame: SymbolicatedFrame) -> Bool { !keepsRuntimeFrames && frame.isOfCaller }

    private mutating func child(of parent: Profile.NodeID, _ frame: SymbolicatedFrame) -> Profile.NodeID {
        let function = function(of: frame)
        let parent = isForwarder(parent, to: function) ? profile.nodes[parent.index].parent : parent
        // A macro, or C code without an inlined frame of its own, has lines of another file.
        let isInFile = frame.file == nil || frame.file == profile.functions[function.index].file
        let place = Profile.Frame(function: function, line: isInFile ? frame.line : nil, isInlined: frame.isInlined)
        let node = Profile.Node(parent: parent, frame: id(of: place))
        if let known = nodes[node] { return known }
        profile.nodes.append(node)
        let id = Profile.NodeID(profile.nodes.count - 1)
        nodes[node] = id
        return id
    }

    /// `SymbolicatedFrame.isForwarder`, of a node. It stays in the tree without samples.
    private func isForwarder(_ node: Profile.NodeID, to function: Profile.FunctionID) -> Bool {
        guard node != .root else { return false }
        let frame = profile.frames[profile.nodes[node.index].frame.index]
        return frame.isInlined && frame.line == nil && frame.function == function
    }

    /// What tells functions apart: a Swift function is the same in each image that has a specialization of it. Not every
    /// instruction of a function names its file.
    private struct FunctionKey: Hashable {
        var name: String
        /// The image's name where there is none.
        var module: String
    }

    private mutating func function(of frame: SymbolicatedFrame) -> Profile.FunctionID {
        // The instructions of a function without a name are one function all the same.
        let name = frame.start ?? frame.function
        let key = FunctionKey(name: name, module: frame.module)
        if let known = functions[key] {
            if profile.functions[known.index].file == nil { profile.functions[known.index].file = frame.file }
            return known
        }
        profile.functions.append(
            Profile.Function(
                name: name, module: frame.module, image: frame.image, file: frame.file, origin: frame.origin))
        let id = Profile.FunctionID(profile.functions.count - 1)
        functions[key] = id
        return id
    }

    private mutating func id(of frame: Profile.Frame) -> Profile.FrameID {
        if let known = frames[frame] { return known }
        profile.frames.append(frame)
        let id = Profile.FrameID(profile.frames.count - 1)
        frames[frame] = id
        return id
    }
}

extension SymbolicatedFrame {
    /// What it does is its caller's. What the optimiser put into a function is that function's, if nobody but the library's
    /// authors wrote it.
    var isOfCaller: Bool { isRuntimeSupport || (isInlined && origin == .runtime) }
}
