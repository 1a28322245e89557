import Dispatch
import Foundation

// MARK: - C style driver interface

typealias SensorCallback = @convention(c) (UnsafeMutableRawPointer?, Double) -> Void

struct SensorSlot {
    var callback: SensorCallback
    var context: UnsafeMutableRawPointer?
}

enum SensorDriver {
    nonisolated(unsafe) private static var slots: [Int32: SensorSlot] = [:]
    nonisolated(unsafe) private static var nextHandle: Int32 = 0

    static func open(_ callback: @escaping SensorCallback, _ context: UnsafeMutableRawPointer?) -> Int32 {
        nextHandle += 1
        slots[nextHandle] = SensorSlot(callback: callback, context: context)
        return nextHandle
    }

    @discardableResult
    static func close(_ handle: Int32) -> UnsafeMutableRawPointer? {
        slots.removeValue(forKey: handle)?.context
    }

    static func readOnce(_ channel: Int, _ callback: SensorCallback, _ context: UnsafeMutableRawPointer?) {
        callback(context, Double(channel) * 1.5)
    }

    static func pulse(_ value: Double) {
        for slot in slots.values { slot.callback(slot.context, value) }
    }
}

// MARK: - Request/response

final class ReadRequest {
    let channel: Int
    private let completion: (Double) -> Void

    init(channel: Int, completion: @escaping (Double) -> Void) {
        self.channel = channel
        self.completion = completion
    }

    func finish(_ value: Double) {
        completion(value)
    }
}

final class CalibrationRequest {
    let offset: Double
    var result: Double?

    init(offset: Double) {
        self.offset = offset
    }
}

struct SensorClient {
    func read(_ channel: Int, completion: @escaping (Double) -> Void) {
        let request = ReadRequest(channel: channel, completion: completion)
        let context = Unmanaged.passRetained(request).toOpaque()
        SensorDriver.readOnce(channel, { raw, value in
            guard let raw else { return }
            let request = Unmanaged<ReadRequest>.fromOpaque(raw).takeUnretainedValue()
            request.finish(value)
        }, context)
    }

    func calibrate(_ channel: Int, offset: Double) -> Double {
        let request = CalibrationRequest(offset: offset)
        let context = Unmanaged.passUnretained(request).toOpaque()
        SensorDriver.readOnce(channel, { raw, value in
            let request = Unmanaged<CalibrationRequest>.fromOpaque(raw!).takeUnretainedValue()
            request.result = value + request.offset
        }, context)
        return request.result ?? 0
    }
}

// MARK: - Subscriptions

final class Accumulator {
    private(set) var sum = 0.0

    func add(_ value: Double) { sum += value }
}

final class SensorSubscription {
    private var handle: Int32 = 0
    private let accumulator = Accumulator()

    init() {
        let context = Unmanaged.passRetained(accumulator).toOpaque()
        handle = SensorDriver.open({ raw, value in
            guard let raw else { return }
            Unmanaged<Accumulator>.fromOpaque(raw).takeUnretainedValue().add(value)
        }, context)
    }

    var total: Double { accumulator.sum }

    deinit {
        if let raw = SensorDriver.close(handle) {
            Unmanaged<Accumulator>.fromOpaque(raw).release()
        }
    }
}

final class SampleBuffer {
    private let storage: UnsafeMutablePointer<Double>
    private let capacity: Int
    private var head = 0

    init(capacity: Int) {
        self.capacity = capacity
        storage = .allocate(capacity: capacity)
        storage.initialize(repeating: 0, count: capacity)
    }

    func push(_ value: Double) {
        storage[head % capacity] = value
        head += 1
    }

    var mean: Double {
        let count = min(head, capacity)
        guard count > 0 else { return 0 }
        return (0..<count).reduce(0) { $0 + storage[$1] } / Double(count)
    }

    deinit {
        storage.deinitialize(count: capacity)
        storage.deallocate()
    }
}

// MARK: - Polling

final class Poller {
    private let source: DispatchSourceTimer
    private let buffer = SampleBuffer(capacity: 16)
    private let client = SensorClient()
    private let channel: Int

    init(channel: Int, queue: DispatchQueue) {
        self.channel = channel
        source = DispatchSource.makeTimerSource(queue: queue)
        source.schedule(deadline: .now(), repeating: .milliseconds(10))
        source.setEventHandler {
            self.client.read(self.channel) { [buffer = self.buffer] value in buffer.push(value) }
        }
        source.resume()
    }

    func mean(on queue: DispatchQueue) -> Double {
        queue.sync { buffer.mean }
    }

    deinit {
        source.cancel()
    }
}

final class Countdown {
    private let source: DispatchSourceTimer
    private var remaining: Int

    init(ticks: Int, queue: DispatchQueue) {
        remaining = ticks
        source = DispatchSource.makeTimerSource(queue: queue)
        source.schedule(deadline: .now(), repeating: .milliseconds(5))
        source.setEventHandler {
            self.remaining -= 1
            if self.remaining <= 0 { self.source.cancel() }
        }
        source.resume()
    }
}

// MARK: - Entry

func measure(_ channel: Int) {
    let queue = DispatchQueue(label: "sensor.\(channel)")
    let poller = Poller(channel: channel, queue: queue)
    let subscription = SensorSubscription()
    _ = Countdown(ticks: 3, queue: queue)
    SensorDriver.pulse(Double(channel))
    SensorDriver.pulse(2)
    Thread.sleep(forTimeInterval: 0.05)
    let calibrated = SensorClient().calibrate(channel, offset: 0.25)
    print("channel", channel, "mean", poller.mean(on: queue), "total", subscription.total, "calibrated", calibrated)
}

for channel in 1...3 { measure(channel) }
Thread.sleep(forTimeInterval: 0.1)
