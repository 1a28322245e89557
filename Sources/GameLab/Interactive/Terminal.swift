import Foundation

/// The terminal that a game is played in: without echo, without line editing, on a screen of its own, with the mouse.
/// Whatever ends the program — also a signal — gives it back as it was.
final class Terminal {
    /// Why a game cannot be played here.
    struct Unusable: Error, CustomStringConvertible {
        var description: String
    }

    /// Rows and columns; the usual 24 × 80 where the terminal does not say.
    var size: (rows: Int, columns: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else {
            return (24, 80)
        }
        return (Int(size.ws_row), Int(size.ws_col))
    }

    /// Takes the terminal over.
    init() throws {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            throw Unusable(description: "To play interactively, standard input and output must be a terminal.")
        }
        guard TerminalRestoration.begin() else {
            throw Unusable(description: "The terminal cannot be set up: \(String(cString: strerror(errno))).")
        }
    }

    deinit { close() }

    /// Gives the terminal back. Safe to call twice.
    func close() { TerminalRestoration.end() }

    /// Waits for input until `deadline` (monotonic nanoseconds) and reads what there is; nil: the terminal is gone.
    func read(until deadline: UInt64) -> [UInt8]? {
        while true {
            let now = MonotonicClock.now
            var poller = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            // poll counts in milliseconds; what is left of one is slept.
            let count = poll(&poller, 1, deadline > now ? Int32((deadline - now) / 1_000_000) : 0)
            if count < 0, errno == EINTR { return [] }
            guard count != 0 else {
                MonotonicClock.sleep(until: deadline)
                return []
            }
            guard count > 0 else { return nil }
            var bytes = [UInt8](repeating: 0, count: 1024)
            let length = Foundation.read(STDIN_FILENO, &bytes, bytes.count)
            if length > 0 { return Array(bytes[..<length]) }
            if length < 0, errno == EINTR || errno == EAGAIN { continue }
            return nil
        }
    }

    /// Writes all of the text; false: the terminal is gone.
    func write(_ text: String) -> Bool {
        var bytes = ArraySlice(Array(text.utf8))
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { return false }
            bytes = bytes.dropFirst(count)
        }
        return true
    }
}

/// The clock of the game loop.
enum MonotonicClock {
    /// Nanoseconds since some moment; never goes back.
    static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Sleeps until that moment, through interruptions.
    static func sleep(until moment: UInt64) {
        var time = timespec(tv_sec: Int(moment / 1_000_000_000), tv_nsec: Int(moment % 1_000_000_000))
        while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
    }
}
