import Foundation

/// The environment of the recorded program: this process's own, byte for byte and in its order, with the recorder's
/// variables behind it. The recorder takes them out again, so that the program sees what it would see without it.
struct ChildEnvironment {
    /// `NAME=value` each.
    private(set) var variables: [[UInt8]]

    /// The environment that this process was given.
    init() {
        variables = []
        var next = environ
        while let variable = next.pointee {
            variables.append(Array(UnsafeRawBufferPointer(start: variable, count: strlen(variable))))
            next += 1
        }
    }

    /// Sets a variable where it stands, or behind all others.
    mutating func set(_ name: String, to value: String) {
        let prefix = Array("\(name)=".utf8)
        let variable = prefix + Array(value.utf8)
        if let index = variables.firstIndex(where: { $0.starts(with: prefix) }) {
            variables[index] = variable
        } else {
            variables.append(variable)
        }
    }

    /// Puts `library` in front of what is preloaded already.
    mutating func preload(_ library: String) {
        let prefix = Array("LD_PRELOAD=".utf8)
        let entry = Array(library.utf8)
        if let index = variables.firstIndex(where: { $0.starts(with: prefix) }) {
            variables[index].replaceSubrange(..<prefix.count, with: prefix + entry + Array(":".utf8))
        } else {
            variables.append(prefix + entry)
        }
    }
}
