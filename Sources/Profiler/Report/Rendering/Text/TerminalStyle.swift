import Foundation

extension TextStyle {
    /// For a file descriptor: the terminal's width and colours. No colours on anything but a terminal, nor when the
    /// environment has NO_COLOR.
    public static func forOutput(
        descriptor: Int32, allowColour: Bool = true, environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> TextStyle {
        let isTerminal = isatty(descriptor) == 1
        let forbids = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
        var size = winsize()
        let columns = isTerminal && ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 ? Int(size.ws_col) : 0
        return TextStyle(isColoured: isTerminal && allowColour && !forbids, width: columns > 0 ? columns : 100)
    }
}
