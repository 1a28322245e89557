import GameprofBasics
import GameprofTrace

/// Whose doing an allocation in a test is.
enum ScopedCounterRule {
    private static let testModules: Set = ["Testing", "_TestingInternals", "XCTest", "InstrumentationTesting"]
    /// In the names of the runtime's functions that work once for each type, global or image of a process.
    private static let once = [
        "swift_once", "Metadata", "WitnessTable", "onformsToProtocol", "TypeByMangledName", "swift_getKeyPath",
        "_dl_", "dlopen", "__tls_get_addr", "call_once",
    ]

    /// Whether the test's own code asked for the block: not what happens once in a process, whichever test comes first,
    /// nor what the test library needs for itself.
    static func isOwn(_ stack: SymbolicatedStack) -> Bool {
        guard !stack.frames.contains(where: happensOnce) else { return false }
        let asker = stack.frames.first { $0.origin == .user || testModules.contains($0.module) }
        return asker.map { !testModules.contains($0.module) } ?? false
    }

    private static func happensOnce(_ frame: SymbolicatedFrame) -> Bool {
        if frame.function.hasPrefix("one-time initialization") { return true }
        return (frame.isRuntimeSupport || frame.origin == .library) && once.contains { frame.function.contains($0) }
    }
}
