import Foundation
import TraceFile

/// Names the addresses of a recording. Every image is read once, every address is looked up once.
public final class Symbolicator: Symbolicating {
    private let recording: Recording
    private let symbolizer: LLVMSymbolizer?
    private var images: [ImageID: SymbolImage] = [:]
    /// Frames by address in the process, innermost first.
    private var known: [UInt64: [SymbolicatedFrame]] = [:]
    private var stacks: [StackID: SymbolicatedStack] = [:]

    /// Sentences about images whose symbols could not be used.
    public private(set) var problems: [String] = []

    /// - Parameter symbolizer: path of an `llvm-symbolizer`; nil: the symbol tables alone.
    public init(recording: Recording, symbolizer: String? = SymbolizerLocator.find()) {
        self.recording = recording
        self.symbolizer = symbolizer.map { LLVMSymbolizer(path: $0) }
    }

    public func prepare(stacks: Set<StackID>, addresses: Set<UInt64>) {
        var wanted = addresses
        var visited: Set<FrameID> = []
        for stack in stacks {
            var next = stack.innermostFrame
            while visited.insert(next).inserted, let frame = recording.frames.frame(next) {
                wanted.insert(Self.lookupAddress(frame))
                next = frame.parent
            }
        }
        lookUp(wanted.filter { known[$0] == nil })
    }

    public func stack(_ id: StackID) -> SymbolicatedStack {
        if let stack = stacks[id] { return stack }
        let frames = recording.frames.frames(of: id)
        lookUp(Set(frames.map(Self.lookupAddress)).filter { known[$0] == nil })
        let stack = SymbolicatedStack(
            frames: frames.flatMap { known[Self.lookupAddress($0)] ?? [] },
            isTruncated: frames.contains(where: \.isTruncated))
        stacks[id] = stack
        return stack
    }

    public func frames(at frame: FrameID) -> [SymbolicatedFrame] {
        guard let frame = recording.frames.frame(frame) else { return [] }
        let address = Self.lookupAddress(frame)
        if known[address] == nil { lookUp([address]) }
        return known[address] ?? []
    }

    public func function(at address: UInt64) -> SymbolicatedFrame? {
        guard address != 0, recording.images.image(at: address) != nil else { return nil }
        if known[address] == nil { lookUp([address]) }
        return known[address]?.last
    }

    public func variable(at address: UInt64) -> SymbolicatedVariable? {
        recording.images.image(at: address).map { open($0).variable(at: address) }
    }

    /// A return address stands behind its call, and may belong to the next line or function.
    private static func lookupAddress(_ frame: FrameRecord) -> UInt64 {
        frame.isExact || frame.pc == 0 ? frame.pc : frame.pc - 1
    }

    private func lookUp(_ addresses: Set<UInt64>) {
        var byImage: [ImageID: [UInt64]] = [:]
        for address in addresses {
            if let image = recording.images.image(at: address) {
                byImage[image.id, default: []].append(address)
            } else {
                known[address] = [
                    SymbolicatedFrame(
                        function: "0x" + String(address, radix: 16), image: "?", origin: .library)
                ]
            }
        }
        for (id, addresses) in byImage.sorted(by: { $0.key < $1.key }) {
            let image = open(recording.images.images[id.index - 1])
            for (address, frames) in zip(addresses, image.frames(of: addresses, symbolizer: symbolizer)) {
                known[address] = frames
            }
        }
    }

    private func open(_ image: ImageMap.Image) -> SymbolImage {
        if let open = images[image.id] { return open }
        let isProgram = image.record.path.isEmpty
        let path = isProgram ? recording.program?.executable ?? "" : image.record.path
        let opened = SymbolImage(record: image.record, path: path)
        if let problem = opened.problem { problems.append(problem) }
        images[image.id] = opened
        return opened
    }
}
