import Foundation
import GameprofImageSymbols
import Synchronization

/// What was found. Bounded, so it is no member of a type: a leak search takes those that grow for caches without a bound.
private let keptImages = Mutex(Kept())

private struct Kept {
    var images: [String: ImageFunctions?] = [:]
    /// By symbol.
    var functions: [String: FunctionLookup.Function] = [:]
}

/// The functions of addresses of this process, by the symbol tables of its image files. What was found is kept for the next
/// profile.
struct FunctionLookup {
    struct Function: Hashable {
        var name: String
        /// Put by runtime and compiler between functions of the program: `swift_allocObject`, thunks.
        var isRuntimeSupport: Bool
    }

    private static let imagesMost = 1024
    private static let functionsMost = 65536

    let images: ProcessImages
    private let program: String

    init(_ images: ProcessImages) {
        self.images = images
        program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
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
            if kept.functions.count >= Self.functionsMost { kept.functions = [:] }
            kept.functions[symbol] = function
            return function
        }
    }

    func buildID(of index: Int) -> String {
        keptImages.withLock { image(of: images.mappings[index], &$0)?.buildID ?? "" }
    }

    private func image(of mapping: CodeMapping, _ kept: inout Kept) -> ImageFunctions? {
        let beginning = images.beginning(of: mapping.path)
        let key = "\(mapping.path) \(beginning ?? 0)"
        if let known = kept.images[key] { return known }
        if kept.images.count >= Self.imagesMost { kept.images = [:] }
        let made = ImageFunctions(path: mapping.path, beginning: beginning, program: program)
        kept.images[key] = .some(made)
        return made
    }
}
