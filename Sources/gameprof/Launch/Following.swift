/// Which of the programs that a recorded program starts are recorded as well, each into a trace of its own. What a
/// process becomes by exec is recorded always.
enum Following: String, CaseIterable {
    /// All of them.
    case all
    /// A program of the system is taken for a launcher — a shell, `make`, `timeout` —, and those that it starts are
    /// recorded, unless they are programs of the system too. Other programs are recorded alone.
    case launched
    /// None.
    case none

    /// Folders of programs of the system or of a toolchain, wherever that is installed.
    static let launcherFolders = ["/usr/bin/", "/usr/sbin/", "/usr/lib/", "/usr/libexec/"]

    /// The value of `GAMEPROF_FOLLOW`.
    var variable: String? {
        switch self {
        case .launched: "beyond:" + Self.launcherFolders.joined(separator: ":")
        case .all: "children"
        case .none: nil
        }
    }
}
