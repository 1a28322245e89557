import GameprofTrace

/// The type of a stored value: what a mangled name says, with generic parameters already replaced.
indirect enum StoredType {
    case unknown
    /// Full metadata.
    case metadata(UInt64)
    case nominal(Nominal)
    /// Labels are empty where there are none.
    case tuple([(label: String, type: StoredType)])
    case function
    case thinFunction
    case metatype
    case existentialMetatype(witnesses: Int)
    case existential(Existential)
    /// The letter behind `B`, and the bits of a number.
    case builtin(UInt8, bits: UInt32)
    case storage(Ownership, StoredType)
    /// A captured variable's box.
    case box
    /// A number as generic argument.
    case integer(UInt64)
    /// A protocol, on its way into an existential.
    case proto(Existential)

    struct Nominal {
        /// Nil: only named.
        var descriptor: ContextDescriptor?
        /// `V`, `O`, `C` when only named.
        var letter: UInt8 = 0
        var name: String
        var module: String
        var arguments: [StoredType] = []
    }

    struct Existential {
        var isClassBound = false
        var isError = false
        var witnesses = 0
    }
}

/// The generic arguments that stand for the parameters of a context, outer ones first.
struct GenericEnvironment {
    var arguments: [StoredType?] = []
    /// By depth: parameters up to and including it.
    var depths: [Int] = []

    init() {}

    init(_ nominal: StoredType.Nominal) {
        arguments = nominal.arguments
        depths = nominal.descriptor?.parameterDepths ?? []
    }

    init(_ metadata: Metadata) {
        let memory = metadata.space.memory
        guard let vector = metadata.arguments, let descriptor = metadata.descriptor,
            let signature = descriptor.signature,
            signature.kinds.count <= 32
        else { return }
        var slot = UInt64(signature.lengths)
        for kind in signature.kinds {
            var argument: StoredType?
            if kind & 0x80 != 0 {
                let word = memory.word(vector &+ 8 * slot) ?? 0
                argument = kind & 0x3f == 0 && word != 0 ? .metadata(word) : kind & 0x3f == 2 ? .integer(word) : nil
                slot += 1
            }
            arguments.append(argument)
        }
        depths = descriptor.parameterDepths
    }

    func argument(depth: Int, index: Int) -> StoredType {
        guard depth < depths.count, index >= 0 else { return .unknown }
        let flat = index + (depth > 0 ? depths[depth - 1] : 0)
        guard flat < depths[depth], flat < arguments.count else { return .unknown }
        return arguments[flat] ?? .unknown
    }
}
