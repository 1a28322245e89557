import Foundation
import GameprofBasics
import Synchronization

/// What was found. Bounded, so it is no member of a type: a leak search takes those that grow for caches without a bound.
private let keptImages = Mutex(Kept())

private struct Kept {
    /// By the image's first address.
    var images: [UInt64: (path: String, image: LoadedImage, functions: ImageFunctions?)] = [:]
    /// By symbol.
    var functions: [String: FunctionLookup.Function] = [:]
    /// Of the names in `functions`.
    var nameBytes = 0

    var symbolBytes: Int { images.values.reduce(0) { $0 + ($1.functions?.symbolBytes ?? 0) } }
}

/// The functions of addresses of this process, by the symbol tables of its image files. What was found is kept for the next
/// profile.
struct FunctionLookup {
    struct Function: Hashable {
        var name: String
        /// Put by runtime and compiler between functions of the program: `swift_allocObject`, thunks.
        var isRuntimeSupport: Bool
    }

    /// Bytes of symbol tables in memory. What does not fit has no names.
    private static let symbolBytesMost = 512 << 20
    private static let functionsMost = 65536
    private static let nameBytesMost = 32 << 20

    let images: ProcessImages
    private let program: String

    init(_ images: ProcessImages) {
        self.images = images
        program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let loaded = Dictionary(images.loaded.map { ($0.extent.lowerBound, $0) }) { first, _ in first }
        keptImages.withLock { kept in kept.images = kept.images.filter { loaded[$0] == $1.image } }
    }

    /// Index of the program's first mapping.
    var programMapping: Int? { images.mappings.firstIndex { $0.path == program } }

    /// Nil: the address lies in no image, or its function is not known.
    func function(at address: UInt64, mapping index: Int) -> Function? {
        let mapping = images.mappings[index]
        return keptImages.withLock { kept -> Function? in
            guard let symbol = image(of: mapping, &kept)?.symbol(at: address - mapping.start &+ mapping.offset) else {
                return nil
            }
            if let known = kept.functions[symbol] { return known }
            let name = SymbolName(symbol: symbol)
            let file = mapping.path.split(separator: "/").last.map(String.init) ?? ""
            let function = Function(
                name: name.function.isEmpty ? symbol : name.function,
                isRuntimeSupport: FrameClassifier.isRuntimeSupport(name, image: file, symbol: symbol))
            if kept.functions.count >= Self.functionsMost || kept.nameBytes >= Self.nameBytesMost {
                (kept.functions, kept.nameBytes) = ([:], 0)
            }
            kept.functions[symbol] = function
            kept.nameBytes += symbol.utf8.count + function.name.utf8.count
            return function
        }
    }

    func buildID(of index: Int) -> String {
        keptImages.withLock { image(of: images.mappings[index], &$0)?.buildID ?? "" }
    }

    private func image(of mapping: CodeMapping, _ kept: inout Kept) -> ImageFunctions? {
        guard let index = mapping.image else { return nil }
        let image = images.loaded[index]
        let start = image.extent.lowerBound
        if let known = kept.images[start], known.path == mapping.path, known.image == image { return known.functions }
        kept.images[start] = nil
        let made = ImageFunctions(
            path: mapping.path, image: image, program: program,
            symbolBytesMost: Self.symbolBytesMost - kept.symbolBytes)
        kept.images[start] = (mapping.path, image, made)
        return made
    }
}
