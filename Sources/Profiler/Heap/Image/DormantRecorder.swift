import CTraceFormat
import Foundation

/// A recorder in a running process that waits until somebody asks for a recording (`Control.h`).
package struct DormantRecorder: Sendable {
    package let pid: pid_t
    /// It is preloaded; one that is linked into the program does not see the program's files.
    package let seesFiles: Bool
    /// The signal that wakes it.
    private let signal: CInt

    /// - Throws: there is no such process, or it was not prepared. One sentence says what to do.
    package init(in pid: pid_t) throws(MemoryImageError) {
        guard pid > 0, !ProcessFacts.status(of: pid).isEmpty else { throw StoppedThreads.gone(pid) }
        guard let maps = ProcessFacts.text("/proc/\(pid)/maps") else {
            throw StoppedThreads.refusal(pid, EACCES)
        }
        guard let signal = Self.signal(in: maps) else {
            throw MemoryImageError(
                isInput: true,
                "Process \(pid) has no recorder that could be switched on: start the program with gameprof record "
                    + "--dormant, or with GAMEPROF=dormant where it links or preloads the recorder. Without that, gameprof "
                    + "heap, leaks, tasks and time look at it from outside (--pid).")
        }
        (self.pid, self.signal) = (pid, signal)
        seesFiles = maps.contains("/libGameRecorder.so")
    }

    /// As the name of the mapping that the recorder leaves says it: a real-time signal.
    private static func signal(in maps: String) -> CInt? {
        let mark = "/memfd:\(GP_DORMANT_NAME)"
        for line in maps.split(separator: "\n") {
            guard let start = line.range(of: mark)?.upperBound,
                let number = CInt(line[start...].prefix(while: \.isNumber)),
                (32...64).contains(number)
            else { continue }
            return number
        }
        return nil
    }

    /// Whether the process still is what it was, and handles the signal: another program would be ended by it.
    private var isThere: Bool {
        guard let maps = ProcessFacts.text("/proc/\(pid)/maps"), Self.signal(in: maps) == signal,
            let caught = ProcessFacts.status(of: pid)["SigCgt"].flatMap({ UInt64($0, radix: 16) })
        else { return false }
        return caught >> UInt64(signal - 1) & 1 != 0
    }

    /// - Parameter number: of the socket that it is to connect to.
    fileprivate func call(_ number: UInt32) -> Bool {
        guard isThere else { return false }
        // Those of this kind queue up: a process that is stopped would find hundreds.
        let pending = ProcessFacts.status(of: pid)["ShdPnd"].flatMap { UInt64($0, radix: 16) } ?? 0
        guard pending >> UInt64(signal - 1) & 1 == 0 else { return true }
        let value = UInt(GP_CONTROL_CALL) << 32 | UInt(number)
        return sigqueue(pid, signal, sigval(sival_ptr: UnsafeMutableRawPointer(bitPattern: value))) == 0
    }
}

/// The conversation with a dormant recorder. It records until this ends.
package final class DormantConnection: Sendable {
    private let descriptor: CInt
    private let pid: pid_t

    private static let patienceMilliseconds = 10_000
    /// Between two signals: a thread may be at a place where it cannot answer.
    private static let stepMilliseconds: CInt = 20

    /// Wakes the recorder, and has it begin.
    /// - Parameter variables: of the recorder.
    /// - Throws: it does not answer, or refuses with a reason.
    package init(_ recorder: DormantRecorder, variables: [String: String]) throws(MemoryImageError) {
        pid = recorder.pid
        descriptor = try Self.connect(recorder)
        let greeting = [GP_CONTROL_GREETING] + variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let bytes = greeting.flatMap { (text: String) -> [UInt8] in Array(text.utf8) + [0] }
        // A recorder that records for another one says so at once, and hears nothing.
        send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL))
        guard let answer = receive() else {
            close(descriptor)
            throw MemoryImageError("The recorder in process \(pid) did not answer.")
        }
        guard answer.first != UInt8(GP_CONTROL_REFUSED) else {
            close(descriptor)
            throw MemoryImageError(String(decoding: answer.dropFirst(), as: UTF8.self))
        }
    }

    deinit { close(descriptor) }

    /// Waits for the end of the recording. False: it has ended.
    package func goesOn(milliseconds: CInt) -> Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&poll, 1, milliseconds) <= 0 && kill(pid, 0) == 0
    }

    /// Asks for something while it records (`GP_REQUEST_MARK`, `GP_REQUEST_WARNING`). False: it cannot be asked now.
    package func ask(_ request: UInt8) -> Bool {
        var request = request
        return send(descriptor, &request, 1, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)) == 1
    }

    /// Ends the recording.
    package func end() { shutdown(descriptor, CInt(SHUT_WR)) }

    /// The next message; nil: there is none.
    private func receive() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: Int(GP_CONTROL_LONGEST))
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return count > 0 ? Array(bytes.prefix(count)) : nil
    }

    private static func connect(_ recorder: DormantRecorder) throws(MemoryImageError) -> CInt {
        let number = UInt32.random(in: 1...UInt32.max)
        let listening = listen(at: number)
        guard listening >= 0 else { throw MemoryImageError("No socket for the recorder could be made.") }
        defer { close(listening) }
        for _ in 0..<(patienceMilliseconds / Int(stepMilliseconds)) {
            guard recorder.call(number) else {
                throw MemoryImageError("Process \(recorder.pid) has ended, or has become another program.")
            }
            var poll = pollfd(fd: listening, events: Int16(POLLIN), revents: 0)
            guard Glibc.poll(&poll, 1, stepMilliseconds) > 0 else { continue }
            let connected = accept(listening, nil, nil)
            if connected >= 0, SearchConnection.peer(of: connected).process == recorder.pid {
                _ = fcntl(connected, F_SETFD, FD_CLOEXEC)
                return connected
            }
            close(connected)
        }
        throw MemoryImageError(
            "The recorder in process \(recorder.pid) did not answer: the process is stopped, filters its system calls, or is in "
                + "another container.")
    }

    private static func listen(at number: UInt32) -> CInt {
        let digits = String(number, radix: 16)
        let name = GP_CONTROL_SOCKET + String(repeating: "0", count: 8 - digits.count) + digits
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { path in path[1...].copyBytes(from: name.utf8) }
        let made = socket(AF_UNIX, CInt(SOCK_SEQPACKET.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        let size = socklen_t(MemoryLayout<sa_family_t>.size + 1 + name.utf8.count)
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(made, $0, size) }
        }
        if made >= 0, isBound == 0, Glibc.listen(made, 1) == 0 { return made }
        close(made)
        return -1
    }
}
