import Foundation
import GameprofBasics
import GameprofTrace

/// Says when a heap snapshot that a signal asked for has been taken, and how it is read while the program runs on.
final class SnapshotNotice: Sendable {
    /// A larger trace is not read for a line on the terminal.
    private static let mostBytes = 256 << 20
    /// Between two looks, in microseconds; the first ones are shorter.
    private static let pause: UInt32 = 3_200_000

    private let trace: String
    private let command: String
    private let reading: FileHandle
    private let writing: FileHandle

    /// Each byte that is written there is a request.
    var descriptor: Int32 { writing.fileDescriptor }

    /// - Parameters:
    ///   - trace: the growing recording.
    ///   - command: of gameprof, which reads it.
    init(of trace: String, command: String) {
        let pipe = Pipe()
        (reading, writing) = (pipe.fileHandleForReading, pipe.fileHandleForWriting)
        (self.trace, self.command) = (trace, command)
        for descriptor in [reading.fileDescriptor, writing.fileDescriptor] {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
        _ = fcntl(writing.fileDescriptor, F_SETFL, O_NONBLOCK)
    }

    /// Waits for requests on a thread that takes no signals.
    func begin() {
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        Thread.detachNewThread { self.serve() }
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }

    func end() { try? writing.close() }

    private func serve() {
        var said = 0
        var asked = 0
        while let bytes = try? reading.read(upToCount: 1), !bytes.isEmpty {
            asked += 1
            var wait: UInt32 = 100_000
            for _ in 0..<8 where said < asked {
                usleep(wait)
                wait = min(2 * wait, Self.pause)
                said += say(after: said)
            }
        }
    }

    /// Says of the snapshots behind the first so many; returns how many there were.
    private func say(after said: Int) -> Int {
        let size = (try? FileManager.default.attributesOfItem(atPath: trace)[.size] as? Int) ?? 0
        guard size < Self.mostBytes, let recording = try? RecordingReader.readHeap(path: trace, graphs: .rootsAlone)
        else { return 0 }
        let taken = recording.heapSnapshots.filter {
            $0.begin.trigger == .onRequest && $0.begin.name == "request" && $0.end != nil
        }.dropFirst(said)
        for snapshot in taken {
            StandardError.say(
                "snapshot \(snapshot.begin.snapshot.rawValue) at "
                    + "\(NumberFormat.seconds(Double(snapshot.begin.time) / 1e9)): "
                    + "\(NumberFormat.bytes(snapshot.liveBytes)) live; read it with gameprof \(command) \(trace)")
        }
        return taken.count
    }
}
