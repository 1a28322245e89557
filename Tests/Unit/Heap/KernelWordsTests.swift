import CTraceFormat
import GameprofTrace
import Testing

@testable import GameprofHeap

/// What only the kernel has of a process, in texts that a frozen copy says.
struct KernelWordsTests {
    private func part(_ kind: Int, of number: UInt64 = 0, _ text: String) -> HeapImageRecord {
        HeapImageRecord(kind: UInt32(kind), first: number, second: 0, bytes: Array(text.utf8))
    }

    @Test("parts of a text are joined, and texts of two descriptors are not")
    func parts() {
        let words = KernelWords([
            part(Int(GP_SEARCH_EPOLL), of: 4, "tfd: 5 events: 19 data: 55d0c0"),
            part(Int(GP_SEARCH_EPOLL), of: 7, "tfd: 8 events: 19 data: 10 pos:0\n"),
            part(Int(GP_SEARCH_EPOLL), of: 4, "ffee10 pos:0\n"),
            part(Int(GP_SEARCH_TIMERS), "ID: 0\nsignal: 10/000055d0c0ffee20\n"),
        ])
        #expect(words.words == [0x10, 0x55d0_c0ff_ee10, 0x55d0_c0ff_ee20] && words.unread.isEmpty)
    }

    @Test("operations of an io_uring that are under way, and what could not be read, are unread")
    func unread() {
        let ring = "CachedSqHead:\t3\nCachedCqTail:\t2\n3: opcode:READ, user_data:139\n    0: 0x55d0c0ffee10/4096\n"
        let done = KernelWords([
            part(Int(GP_SEARCH_URING), of: 5, ring.replacing("CachedSqHead:\t3", with: "CachedSqHead:\t2"))
        ])
        #expect(done.words == [139, 0x55d0_c0ff_ee10] && done.unread.isEmpty)
        #expect(KernelWords([part(Int(GP_SEARCH_URING), of: 5, ring)]).unread == [.uring])
        #expect(KernelWords([part(Int(GP_SEARCH_EPOLL), of: 4, "")]).unread == [.epoll])
        #expect(
            KernelWords([part(Int(GP_SEARCH_EPOLL), of: GP_SEARCH_ALL_DESCRIPTORS, "")]).unread == [.descriptors])
        #expect(KernelWords([part(Int(GP_SEARCH_TIMERS), "")]).unread.isEmpty)
    }
}
