import Symbolication

extension SymbolicatedStack {
    /// The user's innermost frame; of deinitialisers and what the optimiser outlines only where there is no other.
    var innermostUser: SymbolicatedFrame? {
        let users = frames.filter { $0.origin == .user }
        return users.first { !Self.isDeinit($0.function) } ?? users.first
    }

    private static func isDeinit(_ function: String) -> Bool {
        function.hasSuffix("deinit") || function.hasSuffix("__deallocating_deinit") || function.contains("outlined")
    }
}
