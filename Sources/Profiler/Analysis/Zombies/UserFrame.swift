import GameprofBasics
import GameprofTrace

extension SymbolicatedStack {
    /// The user's innermost frame; of deinitialisers and what the optimiser outlines only where there is no other.
    var innermostUser: SymbolicatedFrame? {
        let users = frames.filter { $0.origin == .user }
        return users.first { !Self.isDeinit($0.function) } ?? users.first
    }

    /// Who uses an object: the user's innermost function that is no member of its type.
    func user(of type: String) -> String? {
        let members = TypeName.bare(type)
        let users = frames.filter { $0.origin == .user }.map(\.function)
        return users.first { FunctionName.enclosingType($0).map { $0 != members } ?? false } ?? innermostUser?.function
    }

    private static func isDeinit(_ function: String) -> Bool {
        FunctionName.isDeinitializer(function) || FunctionName.isOutlined(function)
    }
}
