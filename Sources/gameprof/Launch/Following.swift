import ArgumentParser

/// Which of the programs that a recorded program starts are recorded as well, each into a trace of its own. What a
/// process becomes by exec is recorded always.
enum Following: EnumerableFlag {
    /// A program of the system is taken for a launcher — a shell, `make`, `timeout` —, and those that it starts are
    /// recorded, unless they are programs of the system too. Other programs are recorded alone.
    case beyondLaunchers
    /// All of them.
    case children
    /// None.
    case nothing

    /// Folders of programs of the system or of a toolchain, wherever that is installed.
    static let launcherFolders = ["/usr/bin/", "/usr/sbin/", "/usr/lib/", "/usr/libexec/"]

    /// The value of `GAMEPROF_FOLLOW`.
    var variable: String? {
        switch self {
        case .beyondLaunchers: "beyond:" + Self.launcherFolders.joined(separator: ":")
        case .children: "children"
        case .nothing: nil
        }
    }

    static func name(for value: Self) -> NameSpecification {
        switch value {
        case .beyondLaunchers: .customLong("follow-launched")
        case .children: .customLong("follow")
        case .nothing: .customLong("no-follow")
        }
    }

    static func help(for value: Self) -> ArgumentHelp? {
        switch value {
        case .beyondLaunchers:
            "Record your programs that a shell, make, timeout or another system program starts (the default)."
        case .children: "Record all programs that it starts, each into a separate trace."
        case .nothing: "Record only the program itself."
        }
    }
}
