import GameprofAnalysis
import GameprofTrace

/// How the objects of a type appear in a Java heap dump.
struct HprofShape {
    /// A reference by its name. Those that hold nothing are numbers.
    struct Field: Hashable {
        var name: String
        var holds: Bool
    }

    /// The fields of a class, those of one name side by side.
    struct Fields {
        fileprivate(set) var list: [Field] = []
        private var starts: [Field: Int] = [:]

        fileprivate init(_ counts: [Field: Int]) {
            let sorted = counts.sorted { ($0.key.name, $1.key.holds ? 1 : 0) < ($1.key.name, $0.key.holds ? 1 : 0) }
            for (field, count) in sorted {
                starts[field] = list.count
                list += Array(repeating: field, count: count)
            }
        }

        var count: Int { list.count }

        /// The place of the first one of that name.
        func first(_ field: Field) -> Int? { starts[field] }
    }

    enum Form {
        case instance(Fields)
        case array
    }

    let form: Form
    let className: String
    /// Bytes behind the fields of an instance.
    let padding: Int

    /// Of a reference without a name that is the only one of its object.
    private static let unnamed = "reference"
    private static let word = 8
    /// What viewers count for the head of an instance and of an array on a 64-bit machine.
    private static let instanceHead = 16
    private static let arrayHead = 24
    private static let mostFields = 200
    private static let mostBytes = 4096

    /// By type number.
    static func all(of dump: HeapDump) -> [HprofShape] {
        var surveys = dump.typeNames.map { _ in Survey() }
        for block in 0..<dump.count {
            let type = dump.type(of: block)
            surveys[type].note(dump, block)
        }
        return zip(dump.typeNames, surveys).map { HprofShape(name: $0, $1) }
    }

    private init(name: String, _ survey: Survey) {
        let total = survey.counts.values.reduce(0, +)
        let size = Int(clamping: survey.size ?? 0)
        let fits = size <= Self.mostBytes && total <= Self.mostFields && Self.instanceHead + Self.word * total <= size
        guard survey.isUniform, survey.areNamed, fits else {
            form = .array
            className = "[L\(name);"
            padding = 0
            return
        }
        form = .instance(Fields(survey.counts))
        className = name
        padding = size - Self.instanceHead - Self.word * total
    }

    /// References of an array that viewers count as so many bytes.
    static func arrayLength(ofBytes size: UInt64) -> UInt64 {
        size <= UInt64(arrayHead) ? 0 : (size - UInt64(arrayHead)) / UInt64(word)
    }

    func field(of reference: Int, in dump: HeapDump) -> Field { Self.field(of: reference, in: dump) }

    private static func field(of reference: Int, in dump: HeapDump) -> Field {
        let label = dump.label(of: reference)
        return Field(name: label.isEmpty ? unnamed : label, holds: dump.holds(reference))
    }

    /// Name and type of the fields in the order of an instance's values.
    var fieldsOfClass: [(name: String, type: HprofType)] {
        guard case .instance(let fields) = form else { return [] }
        var used: [String: Int] = [:]
        var result: [(name: String, type: HprofType)] = fields.list.map { field in
            let name = field.holds ? field.name : "\(field.name) (not held)"
            used[name, default: 0] += 1
            let number = used[name, default: 1]
            return (number == 1 ? name : "\(name) \(number)", field.holds ? .object : .long)
        }
        let (words, bytes) = padding.quotientAndRemainder(dividingBy: Self.word)
        result += (0..<words).map { ("other \($0 + 1)", .long) }
        result += (0..<bytes).map { ("other byte \($0 + 1)", .byte) }
        return result
    }

    /// Bytes of the fields.
    var instanceSize: Int {
        guard case .instance(let fields) = form else { return 0 }
        return Self.word * fields.count + padding
    }

    /// What the objects of a type have in common.
    private struct Survey {
        /// Bytes of each; nil: there is none yet.
        var size: UInt64?
        var isUniform = true
        /// Every reference has a name of its own in the type.
        var areNamed = true
        /// By name, the most that one object has.
        var counts: [Field: Int] = [:]

        mutating func note(_ dump: HeapDump, _ block: Int) {
            let bytes = dump.heap.sizes[block]
            isUniform = isUniform && (size ?? bytes) == bytes
            size = bytes
            guard isUniform, areNamed else { return }
            var own: [Field: Int] = [:]
            for reference in dump.heap.references(of: block) {
                let field = HprofShape.field(of: reference, in: dump)
                own[field, default: 0] += 1
                // Elements of a collection, or words of memory.
                if field.name.hasPrefix("[") || field.name == HprofShape.unnamed && own[field, default: 0] > 1 {
                    areNamed = false
                    return
                }
            }
            guard counts.count <= HprofShape.mostFields else { return }
            for (field, count) in own where count > counts[field, default: 0] { counts[field] = count }
        }
    }
}
