import GameprofAnalysis
import GameprofTrace

/// Java's heap dump, JAVA PROFILE 1.0.2 with 8-byte identifiers, as Eclipse MAT and VisualVM read it.
///
/// A type is a class. Its objects are instances with a field for each stored reference where all are equally large and
/// their references have names, else arrays of references. Viewers compute sizes from what a class declares: fields
/// named `other` make up for the bytes that are no references. A reference that keeps nothing alive is a number. A
/// global variable is a class with a static field. Files are about as large as the heap.
public struct HprofExport {
    private let dump: HeapDump
    private var out: HprofRecords
    private let shapes: [HprofShape]
    private let globals: [Global]
    private var classes: [HprofID] = []
    private var traceNumbers: [StackID: UInt32] = [:]

    /// A class that stands for global variables of one name.
    private struct Global {
        var name: String
        var blocks: [Int]
    }

    private static let mostStatics = 1000

    /// - Parameter milliseconds: since 1970, of the snapshot.
    public static func write(_ dump: HeapDump, milliseconds: UInt64, to out: ExportStream) throws {
        var export = HprofExport(dump, out)
        try export.write(milliseconds: milliseconds)
        try out.finish()
    }

    private init(_ dump: HeapDump, _ out: ExportStream) {
        self.dump = dump
        self.out = HprofRecords(out)
        shapes = HprofShape.all(of: dump)
        var globals: [Global] = []
        var known: [String: Int] = [:]
        for root in dump.roots where root.kind == .global && root.holds {
            if let place = known[root.name], globals[place].blocks.count < Self.mostStatics {
                globals[place].blocks.append(root.block)
            } else {
                known[root.name] = globals.count
                globals.append(Global(name: root.name, blocks: [root.block]))
            }
        }
        self.globals = globals
    }

    private mutating func write(milliseconds: UInt64) throws {
        try out.begin(milliseconds: milliseconds)
        let runtime = try JavaRuntimeClasses(&out)
        for shape in shapes { classes.append(try out.loadClass(shape.className)) }
        let holders = try globals.map { try out.loadClass($0.name) }
        try writeStacks()
        try runtime.dump(&out)
        for (shape, id) in zip(shapes, classes) {
            try out.classDump(id, super: runtime.object, fields: shape.fieldsOfClass, size: shape.instanceSize)
        }
        for (global, id) in zip(globals, holders) {
            let statics = global.blocks.enumerated().map { index, block in
                (
                    name: index == 0 ? "value" : "value \(index + 1)", type: HprofType.object,
                    value: dump.heap.addresses[block]
                )
            }
            try out.classDump(id, super: runtime.object, statics: statics)
            try out.root(.stickyClass, id)
        }
        try writeRoots()
        for block in 0..<dump.count { try write(block) }
        try out.end()
    }

    private mutating func writeStacks() throws {
        let none = try out.stackTrace([])
        traceNumbers[.none] = none
        for stack in dump.stacks() { traceNumbers[stack] = try out.stackTrace(dump.frames(of: stack)) }
    }

    private mutating func writeRoots() throws {
        var threads: [String: UInt32] = [:]
        for root in dump.roots where root.holds {
            let thread = root.thread.map { name in
                let number = threads[name] ?? UInt32(threads.count + 1)
                threads[name] = number
                return number
            }
            let id = HprofID(dump.heap.addresses[root.block])
            switch root.kind {
            case .global: break
            case .stack, .register: try out.root(.nativeStack, id, thread: thread ?? 0)
            case .threadLocal: try out.root(.threadBlock, id, thread: thread ?? 0)
            case .mapped, .runtime, .kernel: try out.root(.jniGlobal, id)
            }
        }
    }

    private mutating func write(_ block: Int) throws {
        let type = dump.type(of: block)
        let id = HprofID(dump.heap.addresses[block])
        let stack = traceNumbers[dump.heap.stacks[block]] ?? 0
        let references = dump.heap.references(of: block)
        let heap = dump.heap
        guard case .instance(let fields) = shapes[type].form else {
            let held = references.filter { dump.holds($0) }.map { heap.addresses[Int(heap.targets[$0])] }
            let length = max(UInt64(held.count), HprofShape.arrayLength(ofBytes: heap.sizes[block]))
            try out.array(id, classes[type], stack, held, length: length)
            return
        }
        var values = [UInt64](repeating: 0, count: fields.count)
        var next: [HprofShape.Field: Int] = [:]
        for reference in references {
            let field = shapes[type].field(of: reference, in: dump)
            guard let start = fields.first(field) else { continue }
            let place = start + next[field, default: 0]
            next[field, default: 0] += 1
            if place < values.count { values[place] = heap.addresses[Int(heap.targets[reference])] }
        }
        try out.instance(id, classes[type], stack, values, padding: shapes[type].padding)
    }
}
