/// What there is, with links that work behind any prefix.
package enum IndexPage {
    package static let html = """
        <!doctype html>
        <html lang="en"><meta charset="utf-8"><title>Profiles of this process</title>
        <h1>Profiles of this process</h1>
        <ul>
        <li><a href="heap">heap</a>: live memory by stack and type, estimated from samples
        <li><a href="allocs">allocs</a>: all memory allocated so far
        <li><a href="profile?seconds=10">profile</a>: CPU time of the next 10 seconds
        <li><a href="cmdline">cmdline</a>: the program and its arguments
        <li><a href="../../metrics">metrics</a>: OpenMetrics text
        </ul>
        """
}

/// The program and its arguments.
package enum CommandLineText {
    private static let longest = 65536

    package static func bytes() -> [UInt8] {
        let all = CommandLine.arguments.map { Array($0.utf8) }.joined(separator: [0])
        return Array(all.prefix(longest))
    }
}
