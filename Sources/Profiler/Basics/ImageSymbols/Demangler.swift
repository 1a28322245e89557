import Foundation

/// Demangling by the Swift runtime that the tool itself runs on. About 1 µs a name. Raw identifiers stand in backticks, as in
/// sources.
package enum Demangler {
    /// The name as Swift's own backtraces print it, without modules and types: `closure #1 in Puzzle.tilt(to:)`.
    /// Nil when it is not a mangled Swift name.
    package static func simplified(_ mangled: String) -> String? {
        isSwift(mangled) ? text(of: backtraceDemangle(mangled, mangled.utf8.count, nil, nil)) : nil
    }

    /// The full name with modules and types. Nil when it is not a mangled Swift name.
    package static func full(_ mangled: String) -> String? {
        isSwift(mangled) ? text(of: runtimeDemangle(mangled, mangled.utf8.count, nil, nil, 0)) : nil
    }

    /// The name of a C++ function or variable, by the C++ library that Swift's runtime is linked with. Nil when it is not a
    /// mangled C++ name, or that library cannot be asked.
    package static func ofCxx(_ mangled: String) -> String? {
        guard mangled.hasPrefix("_Z"), let cxxDemangle else { return nil }
        var status: CInt = 0
        let name = text(of: cxxDemangle(mangled, nil, nil, &status))
        return status == 0 ? name : nil
    }

    private typealias CxxDemangle =
        @convention(c) (
            UnsafePointer<CChar>, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Int>?, UnsafeMutablePointer<CInt>
        ) -> UnsafeMutablePointer<CChar>?

    private static let cxxDemangle: CxxDemangle? = dlsym(nil, "__cxa_demangle").map {
        unsafeBitCast($0, to: CxxDemangle.self)
    }

    /// True for names with the prefix of a Swift mangling.
    package static func isSwift(_ name: String) -> Bool {
        name.hasPrefix("$s") || name.hasPrefix("$S") || name.hasPrefix("_T0") || name.hasPrefix("$e")
    }

    private static func text(of buffer: UnsafeMutablePointer<CChar>?) -> String? {
        guard let buffer else { return nil }
        defer { free(buffer) }
        return Identifier.withSpaces(String(cString: buffer))
    }
}

/// libswiftCore's `_swift_backtrace_demangle`: the result is the caller's to free.
@_silgen_name("_swift_backtrace_demangle")
private func backtraceDemangle(
    _ name: UnsafePointer<CChar>, _ length: Int, _ buffer: UnsafeMutablePointer<CChar>?,
    _ size: UnsafeMutablePointer<Int>?
) -> UnsafeMutablePointer<CChar>?

/// libswiftCore's `swift_demangle`: the result is the caller's to free.
@_silgen_name("swift_demangle")
private func runtimeDemangle(
    _ name: UnsafePointer<CChar>, _ length: Int, _ buffer: UnsafeMutablePointer<CChar>?,
    _ size: UnsafeMutablePointer<Int>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?
