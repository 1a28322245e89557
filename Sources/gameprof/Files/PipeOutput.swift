import Foundation
import GameprofBasics

/// Writes to what may be a pipe or a terminal. Its reader may let the tool wait for ever, so a single signal ends the tool
/// meanwhile.
enum PipeOutput {
    /// Bytes that a pipe with room takes at once (`PIPE_BUF`).
    private static let pieceWithoutWait = 4_096
    /// Microseconds between two looks for a reader.
    private static let pause: useconds_t = 20_000
    /// Looks for a reader after the tool was asked to end: for five seconds.
    private static let lastLooks = 250

    /// Opens a device or a pipe, and waits for the reader of a FIFO. The caller closes the descriptor.
    static func open(_ place: OutputPlace) throws(OutputPlace.Refusal) -> Int32 {
        try Interruption.whileWaiting { () throws(OutputPlace.Refusal) in
            var looks = 0
            while true {
                do throws(OutputPlace.Refusal) {
                    let descriptor = try place.openForWriting(O_NONBLOCK)
                    if place.isFIFO { _ = fcntl(descriptor, F_SETFL, O_WRONLY) }
                    return descriptor
                } catch {
                    guard place.isFIFO, error.code == ENXIO else { throw error }
                }
                looks += SignalForwarding.wasAskedToEnd ? 1 : 0
                guard looks <= lastLooks else { throw OutputPlace.Refusal("no process reads from it") }
                usleep(pause)
            }
        }
    }

    /// Writes all of it. False: not everything could be written, `errno` says why.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        let hasRoom = bytes.count <= pieceWithoutWait && poll(&room, 1, 0) == 1
        if hasRoom { return OutputPlace.writeAll(bytes, to: descriptor) }
        return Interruption.whileWaiting { OutputPlace.writeAll(bytes, to: descriptor) }
    }
}
