import GameprofBasics
import GameprofTrace

/// Values of `width` bytes at `offset` that no value of a type has: `first` and the `count - 1` behind it. Width 0: they are
/// there, but which they are is not needed.
struct ExtraInhabitants {
    var offset: UInt64 = 0
    var count: UInt64 = 0
    var first: UInt64 = 0
    var width: UInt64 = 0
    /// Only so many low bits count, the others are an outer enum's; 0: all.
    var bits: UInt64 = 0
    /// An enum around takes the highest first.
    var isDescending = false
}

/// A way from a value to references inside of it.
final class LayoutStep {
    enum Encoding {
        /// An address, perhaps with spare bits used by an enum around it.
        case plain
        /// BridgeObject: nothing owned when the highest bit is set.
        case bridge
        /// The address of a side table.
        case weak
    }

    enum Kind {
        /// One word that names an object.
        case reference(Ownership, Encoding)
        /// Code, then context.
        case function
        /// A value whose metadata stands beside it. `hasProtocol`: it is not of type `Any`.
        case existential(hasProtocol: Bool)
        /// So many bytes that may hold anything; 0: to the end of the object.
        case unknown(extent: UInt64)
        /// The steps, unless the value is one of these.
        case payload(ExtraInhabitants, [LayoutStep])
        /// The payload cases of an enum.
        case cases(EnumCases)
    }

    /// Where the tag of an enum with several payloads stands, and what each case holds.
    struct EnumCases {
        /// Bits of the payload, a byte each, that hold the tag's low bits.
        var mask: [UInt8]
        /// Bytes of the payload; an extra tag stands behind them.
        var extent: UInt64
        var tagBytes: UInt64
        /// How many of the extra tag's low bits count.
        var tagBits: UInt64
        var steps: [[LayoutStep]]
    }

    let kind: Kind
    /// In the value.
    let offset: UInt64
    /// Names of the properties that lead there.
    let path: String
    /// `weak` does not compile for what holds the reference; nil: what is around it decides.
    let isNotWeak: Bool?
    /// The last property on the path; nil: what is around it decides.
    let last: DeclaredProperty?
    /// How the property of a class is declared that the path begins with.
    var first: HeapReference.Flags = []
    /// By kind of reference: number of the label, once it has one.
    var labels: [Int32] = []
    /// Of an existential: the steps of its value, by the value's metadata.
    var values: [UInt64: [LayoutStep]] = [:]

    init(
        _ kind: Kind, offset: UInt64 = 0, path: String = "", isNotWeak: Bool? = nil, last: DeclaredProperty? = nil
    ) {
        (self.kind, self.offset, self.path, self.isNotWeak, self.last) = (kind, offset, path, isNotWeak, last)
    }

    /// It leads to no weak or unowned reference: each of its words that names a block holds it.
    var isPlain: Bool {
        switch kind {
        case .reference(let ownership, let encoding): ownership != .weak && ownership != .unowned && encoding != .weak
        case .function, .unknown: true
        case .existential: false
        case .payload(_, let steps): steps.allSatisfy(\.isPlain)
        case .cases(let cases): cases.steps.allSatisfy { $0.allSatisfy(\.isPlain) }
        }
    }

    /// The step inside of a value at `offset` of another, called `label`.
    func moved(by offset: UInt64, _ label: String, isNotWeak: Bool, as property: DeclaredProperty? = nil) -> LayoutStep
    {
        LayoutStep(
            moved(kind, label, isNotWeak, property), offset: self.offset + offset,
            path: FieldName.joined(label, path),
            isNotWeak: label.isEmpty ? self.isNotWeak : self.isNotWeak ?? isNotWeak,
            last: last ?? property)
    }

    private func moved(_ kind: Kind, _ label: String, _ isNotWeak: Bool, _ property: DeclaredProperty?) -> Kind {
        guard !label.isEmpty else { return kind }
        func named(_ steps: [LayoutStep]) -> [LayoutStep] {
            steps.map { $0.moved(by: 0, label, isNotWeak: isNotWeak, as: property) }
        }
        switch kind {
        case .payload(let none, let steps): return .payload(none, named(steps))
        case .cases(var cases):
            cases.steps = cases.steps.map(named)
            return .cases(cases)
        case .reference, .function, .existential, .unknown: return kind
        }
    }
}

/// The layout of stored values.
struct TypeLayout {
    /// How many bytes have known spare bits.
    static let spareLimit = 128
    private static let sizeLimit: UInt64 = 1 << 31
    /// Bits of a pointer to a heap object that are zero, by processor (SwiftShims/HeapObject.h).
    static func pointerSpare(_ machine: UInt16) -> UInt64 {
        machine == 183 ? 0xf000_0000_0000_0007 : 0xff00_0000_0000_0007
    }
    /// No address below this is ever mapped.
    static let leastPointer: UInt64 = 4096

    /// Size and alignment are known.
    var isSized = true
    var size: UInt64 = 0
    var alignment: UInt64 = 1
    var extra = ExtraInhabitants()
    /// By byte: bits that are not used; nil: not known.
    var spare: [UInt8]? = []
    /// Never held in registers: an enum with such a payload uses none of the spare bits.
    var isAddressOnly = false
    var steps: [LayoutStep] = []

    static func plain(_ size: UInt64, _ alignment: UInt64) -> TypeLayout {
        TypeLayout(
            size: size, alignment: alignment,
            spare: size <= UInt64(spareLimit) ? [UInt8](repeating: 0, count: Int(size)) : nil)
    }

    static var unknown: TypeLayout {
        TypeLayout(isSized: false, spare: nil, steps: [LayoutStep(.unknown(extent: 0))])
    }

    static func opaque(_ size: UInt64, _ alignment: UInt64) -> TypeLayout {
        TypeLayout(size: size, alignment: alignment, spare: nil, steps: [LayoutStep(.unknown(extent: size))])
    }

    static func reference(
        _ ownership: Ownership, _ encoding: LayoutStep.Encoding = .plain, machine: UInt16
    ) -> TypeLayout {
        var layout = plain(8, 8)
        layout.steps = [LayoutStep(.reference(ownership, encoding))]
        switch encoding {
        case .plain:
            // The highest byte of a plain pointer may hold the tag of an enum around it.
            layout.extra = ExtraInhabitants(count: leastPointer, width: 8, bits: 56)
            layout.spare = withUnsafeBytes(of: pointerSpare(machine).littleEndian) { Array($0) }
        case .bridge: layout.extra = ExtraInhabitants(count: leastPointer, width: 8)
        case .weak: break
        }
        return layout
    }

    static var bool: TypeLayout {
        var layout = plain(1, 1)
        layout.extra = ExtraInhabitants(count: 254, first: 2, width: 1)
        layout.spare = [0xfe]
        return layout
    }

    /// Owns nothing; only the null pointer is no value of it.
    static func rawPointer(machine: UInt16) -> TypeLayout {
        var layout = reference(.conservative, machine: machine)
        layout.extra.count = 1
        layout.spare = [UInt8](repeating: 0, count: 8)
        return layout
    }

    static var function: TypeLayout {
        var layout = plain(16, 8)
        layout.steps = [LayoutStep(.function)]
        layout.extra = ExtraInhabitants(count: leastPointer, width: 8)
        return layout
    }

    /// Puts `field` behind what there is already.
    mutating func append(
        _ field: TypeLayout, _ label: String = "", isNotWeak: Bool = false, as property: DeclaredProperty? = nil
    ) {
        guard isSized, field.isSized else {
            self = .unknown
            return
        }
        let offset = (size + field.alignment - 1) & ~(field.alignment - 1)
        guard offset + field.size <= Self.sizeLimit else {
            self = .unknown
            return
        }
        if var bytes = spare, let own = field.spare, offset + field.size <= UInt64(Self.spareLimit) {
            // Padding counts as unused.
            bytes += [UInt8](repeating: 0xff, count: Int(offset - size)) + own
            spare = bytes
        } else {
            spare = nil
        }
        if field.extra.count > extra.count {
            extra = field.extra
            extra.offset += offset
        }
        isAddressOnly = isAddressOnly || field.isAddressOnly
        size = offset + field.size
        alignment = max(alignment, field.alignment)
        steps += field.steps.map { $0.moved(by: offset, label, isNotWeak: isNotWeak, as: property) }
    }
}
