import SourceModel
import StaticFindingModel

/// Takes down what the rules suspect. One for each thread.
final class Look {
    let analysis: FlowAnalysis
    let objects: ObjectAnalysis
    private(set) var found: [Found] = []
    private(set) lazy var calls = CallIndex(module)
    private(set) lazy var memoryWarnings = calls.memoryWarnings

    private lazy var holding = Holding(module: module, calls: calls)
    private var kept: [String: Bool] = [:]

    var module: Module { analysis.module }

    /// Whether something that outlives a call is seen to hold objects of the class, besides what leads back to them.
    func isKept(_ type: TypeInfo) -> Bool {
        if let known = kept[type.path] { return known }
        let result = holding.isKept(type)
        kept[type.path] = result
        return result
    }

    init(module: Module) {
        analysis = FlowAnalysis(module: module)
        objects = ObjectAnalysis(module: module)
    }

    /// A suspect, and the properties on the way round that it does not name: `Dialog.handler`.
    struct Found: Sendable {
        var suspect: StaticFinding
        var keepers: [String]
        /// The function in which the circle closes.
        var function: String
    }

    /// A suspicion, before the place in the file is looked up.
    struct Suspicion {
        var rule: String
        var confidence: StaticFinding.Confidence
        var file: Int
        var position: Int
        var message: String
        var fix: String
        var unknowns: [String] = []
        var place: FunctionPlace?
        var type = ""
        var field = ""
        var holder = ""
        var edit: StaticFinding.Edit?
    }

    /// What is suspicious in another module is that module's affair.
    func report(_ suspicion: Suspicion, along keepers: [String] = [], in function: String? = nil) {
        guard module.isOwn(file: suspicion.file) else { return }
        let file = module.files[suspicion.file]
        let line = file.lines.line(at: suspicion.position)
        var suspect = StaticFinding(
            rule: suspicion.rule, confidence: suspicion.confidence, file: file.path, line: line,
            column: file.lines.column(at: suspicion.position), message: suspicion.message, fix: suspicion.fix)
        suspect.source = String(file.lines.text(ofLine: line).drop { $0 == " " || $0 == "\t" })
        suspect.type = suspicion.type.isEmpty ? suspicion.place?.type?.path ?? "" : suspicion.type
        suspect.field = suspicion.field
        suspect.holder = suspicion.holder
        suspect.function = suspicion.place?.name ?? ""
        suspect.edit = suspicion.edit
        suspect.ignored = file.ignores[line]
        var unknowns: [String] = []
        for sentence in suspicion.unknowns where !unknowns.contains(sentence) { unknowns.append(sentence) }
        suspect.unknowns = unknowns
        found.append(Found(suspect: suspect, keepers: keepers, function: function ?? suspect.function))
    }
}
