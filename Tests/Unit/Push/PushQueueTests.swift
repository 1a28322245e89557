import Foundation
import GameprofBasics
import Testing

@testable import InstrumentationPush

@Suite struct PushQueueTests {
    private func request(_ number: Int, bytes: Int = 1) -> StoreRequest {
        StoreRequest(url: "\(number)", headers: [], body: Data(count: bytes))
    }

    @Test("the oldest of too many is dropped and counted")
    func count() {
        let queue = PushQueue()
        for number in 0..<PushQueue.countMost + 5 { queue.append(request(number)) }
        #expect(queue.counts == (waiting: PushQueue.countMost, dropped: 5))
        #expect(queue.next()?.url == "5" && queue.next()?.url == "6")
    }

    @Test("so many bytes wait at most, and of a request that is larger none")
    func bytes() {
        let queue = PushQueue()
        for number in 0..<3 { queue.append(request(number, bytes: PushQueue.bytesMost / 2)) }
        #expect(queue.counts == (waiting: 2, dropped: 1))
        queue.append(request(3, bytes: PushQueue.bytesMost + 1))
        #expect(queue.counts == (waiting: 0, dropped: 4))
    }

    @Test("who waits is woken without a request")
    func wake() {
        let queue = PushQueue()
        queue.wake()
        #expect(queue.next() == nil)
    }

    @Test("a pause ends when it is asked for, before it begins too")
    func stop() {
        let signal = StopSignal()
        #expect(signal.pause(seconds: 0))
        signal.ask()
        #expect(!signal.pause(seconds: 3600) && !signal.pause(seconds: 3600))
    }
}
