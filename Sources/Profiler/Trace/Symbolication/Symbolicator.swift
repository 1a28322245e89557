import Foundation
import GameprofBasics

/// Names the addresses of a recording: by what the trace holds itself, else by the files of its images. Every image is
/// read once, every address is looked up once.
public final class Symbolicator: Symbolicating {
    private(set) var recording: Recording
    private let symbolizer: Symbolizer?
    private let search: SymbolSearch
    /// Names that the trace holds give way to better ones that files give.
    private let prefersFiles: Bool
    private let cache: SymbolCache?
    private lazy var packages = {
        let executable = recording.program?.executable ?? ""
        return cache?.packages(ofBuildOf: executable) ?? PackageSources(ofBuildOf: executable)
    }()
    private var images: [ImageID: SymbolImage] = [:]
    /// Frames by address in the process, innermost first.
    private var known: [UInt64: [SymbolicatedFrame]] = [:]
    private var stacks: [StackID: SymbolicatedStack] = [:]
    /// Of images whose symbols could not be used, or not all of them.
    private var imageProblems: [String] = []
    /// Paths of images for which servers were asked in vain.
    private var unserved: Set<String> = []

    /// Sentences about what of the symbols could not be used.
    public var problems: [String] {
        let details = Set(images.values.compactMap(\.detail))
        var result = imageProblems
        if !unserved.isEmpty {
            result.append(
                "--symbols debuginfod found nothing for \(unserved.sorted().joined(separator: ", ")): the servers do "
                    + "not have this build, or did not answer.")
        }
        if details.contains(.unread) {
            result.append(
                "Lines and inlined functions are missing: no llvm-symbolizer could be used. Add the Swift toolchain to PATH."
            )
        }
        if details.contains(.foreign) {
            result.append(
                "Lines and inlined functions may be missing: the llvm-symbolizer in use belongs to no Swift toolchain. "
                    + "Add the toolchain to PATH.")
        }
        return result
    }

    /// - Parameters:
    ///   - symbolizer: nil: the symbol tables alone.
    ///   - search: where symbols are looked for. Of a trace that holds its names, files are read if folders or servers are
    ///     named, or with `prefersFiles`.
    ///   - cache: shared with the symbolicators of other recordings that have the same `symbolizer` and `search`; nil: with none.
    public init(
        recording: Recording, symbolizer: Symbolizer? = SymbolizerLocator.find(), search: SymbolSearch = SymbolSearch(),
        prefersFiles: Bool = false, cache: SymbolCache? = nil
    ) {
        self.cache = cache
        self.recording = recording
        self.symbolizer = symbolizer
        self.search = search
        self.prefersFiles = prefersFiles || search.isAsked
    }

    /// Names a later recording of the same process: what was looked up stays known, as long as no image lies elsewhere.
    package func follow(_ later: Recording) {
        let before = Dictionary(recording.images.images.map { ($0.record.path, $0.record) }) { one, _ in one }
        let hasMoved = later.images.images.contains { image in
            before[image.record.path].map { $0.bias != image.record.bias } ?? false
        }
        if hasMoved { known = [:] }
        (recording, images, stacks, framesOfFew) = (later, [:], [:], [:])
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
            joining: frames.flatMap { known[Self.lookupAddress($0)] ?? [] },
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

    public func function(at address: UInt64) -> SymbolicatedFrame? { frames(atExact: address).last }

    public func frames(atExact address: UInt64) -> [SymbolicatedFrame] {
        guard address != 0, recording.images.image(at: address) != nil else { return [] }
        if known[address] == nil { lookUp([address]) }
        return known[address] ?? []
    }

    public func variable(at address: UInt64) -> SymbolicatedVariable? {
        recording.images.image(at: address).map { open($0).variable(at: address) }
    }

    /// A return address stands behind its call, and may belong to the next line or function.
    static func lookupAddress(_ frame: FrameRecord) -> UInt64 {
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
        for (id, wanted) in byImage.sorted(by: { $0.key < $1.key }) {
            let addresses = Array((framesOfFew.removeValue(forKey: id) ?? []).union(wanted))
            let image = open(recording.images.images[id.index - 1])
            for (address, frames) in zip(addresses, image.frames(of: addresses)) {
                known[address] = frames
            }
        }
    }

    /// Where a recording has few frames, the addresses of all by image: most are asked for sooner or later, and the
    /// symbolizer reads an image anew each time. Empty for an image that was asked for.
    private lazy var framesOfFew: [ImageID: Set<UInt64>] = {
        var result: [ImageID: Set<UInt64>] = [:]
        guard recording.frames.count <= Self.few else { return result }
        for id in 1..<UInt32(max(recording.frames.count, 2)) {
            guard let frame = recording.frames.frame(FrameID(id)) else { continue }
            let address = Self.lookupAddress(frame)
            if let image = recording.images.image(at: address) { result[image.id, default: []].insert(address) }
        }
        return result
    }()

    private static let few = 1_000

    func open(_ image: ImageMap.Image) -> SymbolImage {
        if let open = images[image.id] { return open }
        let isProgram = image.record.path.isEmpty
        let path = isProgram ? recording.program?.executable ?? "" : image.record.path
        let opened = read(image.record, path)
        if let problem = opened.problem { imageProblems.append(problem) }
        images[image.id] = opened
        return opened
    }

    private func read(_ record: ImageRecord, _ path: String) -> SymbolImage {
        let stored = recording.symbols.source(of: record).map {
            SymbolImage(record: record, path: path, stored: $0, in: recording.symbols, packages: packages)
        }
        if let stored, !prefersFiles || stored.detail == .lines { return stored }
        let symbols = symbols(of: record, path)
        if let stranger = symbols.files.stranger { imageProblems.append(stranger) }
        if symbols.files.isUnserved { unserved.insert(path) }
        let read = SymbolImage(
            record: record, path: path, symbols: symbols, symbolizer: symbolizer, packages: packages)
        guard let stored, let known = stored.detail else { return read }
        return read.detail.map { $0 > known } ?? false ? read : stored
    }

    private func symbols(of record: ImageRecord, _ path: String) -> ImageSymbols {
        func read() -> SymbolFile {
            SymbolFile(of: record, path: path, search: search, recordedAt: recording.startUnixNanoseconds)
        }
        return cache?.symbols(of: record, path: path, read: read) ?? ImageSymbols(read())
    }
}
