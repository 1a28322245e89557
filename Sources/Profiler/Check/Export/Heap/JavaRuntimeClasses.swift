/// Classes that every Java process has, and without which readers of its heap dumps stop.
struct JavaRuntimeClasses {
    let object: HprofID
    private let plain: [HprofID]
    /// VisualVM takes the size of a reference from the difference of two fields of this class.
    private let offsets: HprofID
    /// VisualVM computes no retained sizes without these.
    private let reference: HprofID
    private let references: [HprofID]

    /// Names them; `dump` describes them after all names.
    init(_ out: inout HprofRecords) throws {
        func load(_ names: [String], _ out: inout HprofRecords) throws -> [HprofID] {
            var classes: [HprofID] = []
            for name in names { classes.append(try out.loadClass("java.lang.\(name)")) }
            return classes
        }
        object = try out.loadClass("java.lang.Object")
        plain = try load(["Class", "ClassLoader", "String", "Thread"], &out)
        offsets = try out.loadClass("java.lang.Class$Atomic")
        reference = try out.loadClass("java.lang.ref.Reference")
        references = try load(
            ["ref.SoftReference", "ref.WeakReference", "ref.FinalReference", "ref.PhantomReference"], &out)
    }

    func dump(_ out: inout HprofRecords) throws {
        try out.classDump(object, super: .none)
        for each in plain { try out.classDump(each, super: object) }
        try out.classDump(
            offsets, super: object,
            statics: [("annotationDataOffset", .long, 0), ("annotationTypeOffset", .long, 8)])
        try out.classDump(reference, super: object, fields: [("referent", .object)], size: 8)
        for each in references { try out.classDump(each, super: reference) }
    }
}
