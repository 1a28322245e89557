import CTraceFormat
import Testing

@testable import GameprofHeap

/// Threads that run none of the program's code, by the libraries of their frames.
struct IdleThreadsTests {
    private static let (libc, dispatch, program): (UInt64, UInt64, UInt64) = (0x10000, 0x20000, 0x30000)
    private static let (thread, stackPointer, end): (UInt32, UInt64, UInt64) = (7, 0x7000_0000, 0x7000_0300)
    private static let (epollWait, futex): (UInt64, UInt64) = (232, 202)

    private func row(_ kind: Int, _ start: UInt64, _ end: UInt64) -> gp_search_words {
        gp_search_words(kind: UInt32(kind), thread: Self.thread, start: start, end: end)
    }

    /// - Parameter places: of return addresses, innermost first.
    private func threads(_ places: [UInt64], in call: UInt64) -> IdleThreads {
        let files = [
            (Self.libc, "/lib/libc.so.6"), (Self.dispatch, "/swift/libdispatch.so"), (Self.program, "/app/libcards"),
        ]
        let memory = MemoryImage(
            mappings: files.map { MemoryImage.Mapping(start: $0, end: $0 + 0x1000, isExecutable: true, file: $1) },
            threads: [], machine: 62)
        let frames = places.enumerated().map { number, place in
            row(GP_WORDS_FRAME, Self.end - 0x100 * UInt64(places.count - 1 - number), place + 0x100)
        }
        return IdleThreads(
            memory,
            frames + [
                row(GP_WORDS_THREAD, Self.end + 0x400, 0), row(GP_WORDS_WAITING, call, Self.stackPointer),
            ])
    }

    @Test("a thread whose frames are all of the system's runs no code of the program")
    func idle() {
        #expect(threads([Self.libc, Self.dispatch, Self.libc], in: Self.futex).idle == [Self.thread])
        #expect(threads([Self.libc, Self.program, Self.libc], in: Self.futex).idle.isEmpty)
        #expect(threads([Self.libc, Self.libc, Self.dispatch], in: Self.futex).idle.isEmpty)
        #expect(threads([], in: Self.futex).idle.isEmpty)
    }

    @Test("of a worker that waits for events only what lies outwards of its frames is held")
    func parked() {
        let words = [
            row(GP_ROOT_REGISTER | GP_WORDS_PASSING, 0x100, 0x180),
            row(GP_ROOT_STACK | GP_WORDS_PASSING, Self.stackPointer, Self.end + 0x1000),
            row(GP_ROOT_STACK | GP_WORDS_PASSING, 0x200, 0x208), row(GP_ROOT_GLOBAL, 0x400, 0x500),
        ]
        func held(_ places: [UInt64], in call: UInt64) -> [UInt64] {
            threads(places, in: call).held(of: words).map(\.start)
        }
        #expect(held([Self.libc, Self.dispatch, Self.libc], in: Self.epollWait) == [Self.end, 0x400])
        // It may hold something where it waits for anything else, or where libdispatch has called something.
        let all = words.map(\.start)
        #expect(held([Self.libc, Self.dispatch, Self.libc], in: Self.futex) == all)
        #expect(held([Self.dispatch, Self.libc, Self.dispatch, Self.libc], in: Self.epollWait) == all)
    }
}
