#if Instrumented
/// The references that living objects hold, as the reflection of Swift's runtime describes their fields.
struct ObjectFields {
    enum Ownership: String { case strong, weak, unowned, unmanaged }

    struct Reference {
        var target: UnsafeRawPointer
        var field: String
        var ownership: Ownership
    }

    /// By the storage of a collection that was met: the references of its elements.
    private var elements: [UnsafeRawPointer: [Reference]] = [:]
    /// The references of the object that is read.
    private var found: [Reference] = []

    mutating func references(of object: UnsafeRawPointer) -> [Reference] {
        if let known = elements[object] { return known }
        let metadata = ObjectTreeReader.classOf(object)
        guard metadata != 0 else { return [] }
        return collect { $0.readFields(of: unsafeBitCast(metadata, to: Any.Type.self), at: object, "") }
    }

    private mutating func collect(_ body: (inout ObjectFields) -> Void) -> [Reference] {
        let outer = found
        found = []
        defer { found = outer }
        body(&self)
        return found
    }

    // MARK: - Fields

    private mutating func readFields(of type: Any.Type, at base: UnsafeRawPointer, _ path: String) {
        // How the standard library calls its own fields says nothing (Task, Unmanaged, Slice).
        let isOfLibrary = _typeName(type).hasPrefix("Swift.")
        for index in 0..<childCount(type) {
            var field = FieldMetadata()
            let fieldType = childMetadata(type, index: index, metadata: &field)
            let name = field.name.map { String(cString: $0) } ?? ""
            field.freeName?(field.name)
            let place = base + childOffset(type, index: index)
            let label = isOfLibrary ? "" : name.hasPrefix(".") ? String(name.dropFirst()) : name
            let path = path.isEmpty ? label : label.isEmpty ? path : "\(path).\(label)"
            if field.isStrong {
                read(fieldType, at: place, path)
            } else {
                readUncounted(at: place, path, isOfLibrary ? .unmanaged : .unowned)
            }
        }
    }

    private mutating func read(_ type: Any.Type, at place: UnsafeRawPointer, _ path: String) {
        if type == String.self { return }
        switch kind(of: type) {
        case .object: note(place.load(as: UInt.self), .strong, path)
        case .function: note((place + MemoryLayout<UInt>.size).load(as: UInt.self), .strong, path)
        case .aggregate:
            if let collection = type as? any Collected.Type { return read(collection, at: place, path) }
            readFields(of: type, at: place, path)
        case .variable: open(type, at: place, path)
        case .word where ["Builtin.NativeObject", "Builtin.BridgeObject"].contains(_typeName(type)):
            note(place.load(as: UInt.self), .strong, path)
        case .word: break
        }
    }

    /// A weak reference's word names a side table, an unowned one's the object.
    private mutating func readUncounted(at place: UnsafeRawPointer, _ path: String, _ unowned: Ownership) {
        let word = place.load(as: UInt.self)
        guard let object = UnsafeRawPointer(bitPattern: word & addressBits) else { return }
        if !ObjectTreeReader.typeName(object).isEmpty {
            note(word, unowned, path)
        } else if let target = place.assumingMemoryBound(to: WeakWord.self).pointee.object {
            note(UInt(bitPattern: Unmanaged.passUnretained(target).toOpaque()), .weak, path)
        }
    }

    private mutating func note(_ word: UInt, _ ownership: Ownership, _ path: String) {
        guard let target = UnsafeRawPointer(bitPattern: word & addressBits), !ObjectTreeReader.typeName(target).isEmpty
        else { return }
        found.append(Reference(target: target, field: path.isEmpty ? "contents" : path, ownership: ownership))
    }

    // MARK: - What only a copy shows

    /// Enums and existentials: the payload is taken out of a copy, which is gone before any count is read. What cannot be copied
    /// is left out.
    private mutating func open(_ type: Any.Type, at place: UnsafeRawPointer, _ path: String) {
        guard isCopyable(type) else { return }
        func copy<Value>(_: Value.Type) -> Any? { flattened(place.assumingMemoryBound(to: Value.self).pointee) }
        if let value = _openExistential(type, do: copy) { read(copy: value, path) }
    }

    /// A dynamic cast takes an existential out of another one.
    private func flattened<Value, Result>(_ value: Value) -> Result? { value as? Result }

    private mutating func read(copy value: Any, _ path: String) {
        if let choice = value as? any Wrapper {
            if let wrapped = choice.wrapped { read(copy: wrapped, path) }
            return
        }
        let type = type(of: value)
        if type is AnyClass {
            return note(UInt(bitPattern: Unmanaged.passUnretained(value as AnyObject).toOpaque()), .strong, path)
        }
        guard kind(of: type) != .variable else {
            // A mirror of its own would be code of the program.
            guard !(value is any CustomReflectable) else { return }
            for child in Mirror(reflecting: value).children {
                let label = child.label ?? ""
                read(copy: child.value, label.isEmpty ? path : path.isEmpty ? label : "\(path).\(label)")
            }
            return
        }
        func open<Value>(_ value: Value) {
            // An existential in another one, as an error's.
            guard kind(of: Value.self) != .variable else { return }
            withUnsafePointer(to: value) { read(Value.self, at: UnsafeRawPointer($0), path) }
        }
        _openExistential(value, do: open)
    }

    // MARK: - Collections

    /// The storage stands in the collection's one word.
    private mutating func read(_ type: any Collected.Type, at place: UnsafeRawPointer, _ path: String) {
        let word = place.load(as: UInt.self)
        guard let storage = UnsafeRawPointer(bitPattern: word & addressBits) else { return }
        note(word, .strong, path)
        guard elements[storage] == nil else { return }
        elements[storage] = []
        elements[storage] = collect { fields in
            type.each(at: place) { value, label in fields.read(copy: value, label) }
        }
    }
}

private let addressBits: UInt = 0x00ff_ffff_ffff_fff8

/// How a weak reference stands in memory.
private struct WeakWord { weak var object: AnyObject? }

// MARK: - Kinds of types

private enum Kind { case object, aggregate, variable, function, word }

/// By the first word of the metadata (`MetadataKind.def`).
private func kind(of type: Any.Type) -> Kind {
    let number = unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee
    return switch number {
    case 0, 0x800...: .object
    case 0x200, 0x301: .aggregate
    case 0x201, 0x202, 0x303: .variable
    case 0x302: .function
    default: .word
    }
}

/// `ValueWitnessFlags::IsNonCopyable`, behind the size and the stride in the table that stands in front of the metadata.
private func isCopyable(_ type: Any.Type) -> Bool {
    let (flagsOffset, isNonCopyable): (Int, UInt32) = (80, 0x80_0000)
    let metadata = unsafeBitCast(type, to: UnsafePointer<UnsafeRawPointer>.self)
    return metadata[-1].load(fromByteOffset: flagsOffset, as: UInt32.self) & isNonCopyable == 0
}

/// Optional, whose mirror the standard library makes.
private protocol Wrapper { var wrapped: Any? { get } }

extension Optional: Wrapper {
    fileprivate var wrapped: Any? { map { $0 } }
}

/// A collection of the standard library, whose elements are references of its storage.
private protocol Collected {
    static func each(at place: UnsafeRawPointer, _ body: (Any, String) -> Void)
}

extension Collected where Self: Sequence {
    fileprivate static func each(at place: UnsafeRawPointer, _ body: (Any, String) -> Void) {
        for (index, element) in place.assumingMemoryBound(to: Self.self).pointee.enumerated() {
            body(element, "[\(index)]")
        }
    }
}

extension Array: Collected {}
extension ContiguousArray: Collected {}
extension Set: Collected {}

extension Dictionary: Collected {
    fileprivate static func each(at place: UnsafeRawPointer, _ body: (Any, String) -> Void) {
        for (index, (key, value)) in place.assumingMemoryBound(to: Self.self).pointee.enumerated() {
            body(key, "key \(index)")
            let isShown = key is String || key is any BinaryInteger
            body(value, isShown ? "[\(key)]" : "value \(index)")
        }
    }
}

// MARK: - The runtime (stdlib/public/runtime/ReflectionMirror.cpp)

/// `FieldReflectionMetadata` of the standard library.
private struct FieldMetadata {
    var name: UnsafePointer<CChar>?
    var freeName: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
    var isStrong = false
    var isVariable = false
}

@_silgen_name("swift_reflectionMirror_recursiveCount")
private func childCount(_: Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func childMetadata(_: Any.Type, index: Int, metadata: UnsafeMutablePointer<FieldMetadata>) -> Any.Type

@_silgen_name("swift_reflectionMirror_recursiveChildOffset")
private func childOffset(_: Any.Type, index: Int) -> Int
#endif
