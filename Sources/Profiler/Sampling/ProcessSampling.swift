import CGameprofPerf
import CRecorderCFI
import Foundation
import GameprofBasics
import GameprofHeap
import GameprofTrace

/// Samples the threads of a running process from outside and writes a trace of it.
package final class ProcessSampling {
    /// How it is sampled.
    package struct Options {
        package var pid: pid_t
        /// Nanoseconds of CPU time between two samples of a thread.
        package var period: UInt64
        /// Seconds.
        package var duration: Double
        /// Waiting threads are looked at too.
        package var waits = false
        /// Perf events are not used.
        package var onlyStops = false

        package init(pid: pid_t, period: UInt64, duration: Double) {
            (self.pid, self.period, self.duration) = (pid, period, duration)
        }
    }

    private let options: Options
    private let pid: pid_t
    private let images: ProcessImages
    private let walk: StackWalk
    private let async: AsyncCallers
    private var trace: SampleTrace
    private var times: ThreadTimes
    private let start: UInt64
    private let mark: [UInt8]
    private var (samples, whole): (UInt64, UInt64) = (0, 0)
    private var lost: UInt64 = 0

    private enum Source {
        case events(PerfEvents)
        case stops(StopSampler)

        var isPerf: Bool { if case .events = self { true } else { false } }
    }
    private let source: Source

    /// Samples until the time is over, the process has ended or `isOver` says so, and writes the trace to `path`.
    /// - Returns: by the names of images, where their files can be read as long as the process lives.
    /// - Throws: `MemoryImageError` where the process cannot be sampled, `TraceError`.
    package static func record(
        _ options: Options, to path: String, isOver: () -> Bool
    ) throws -> [String: String] {
        let sampling = try ProcessSampling(options, path)
        try sampling.run(isOver)
        return sampling.images.places
    }

    private init(_ options: Options, _ path: String) throws {
        (self.options, pid) = (options, options.pid)
        guard pid > 0, !ProcessFacts.status(of: pid).isEmpty else { throw StoppedThreads.gone(pid) }
        guard pid != getpid() else { throw MemoryImageError(isInput: true, "gameprof does not look at itself.") }
        if options.waits, let code = ProcessFacts.memoryRefusal(of: pid) {
            throw MemoryImageError(
                "To see where threads wait (--wall) needs CAP_SYS_PTRACE. \(StoppedThreads.refusal(pid, code).sentence)"
            )
        }
        mark = ProcessFacts.programMark(of: pid)
        images = ProcessImages(of: pid)
        guard !images.isEmpty else {
            // The kernel does not show what it has loaded.
            try Self.checkStops(pid, perf: PerfEvents.refusal(of: pid).map(Self.sentence))
            throw StoppedThreads.gone(pid)
        }
        walk = StackWalk(images)
        walk.now = Self.now
        async = AsyncCallers(images, walk: walk)
        let executable = ProcessImages.executable(of: pid)
        let words = (ProcessFacts.bytes("/proc/\(pid)/cmdline") ?? []).split(separator: 0)
        let program = ProgramRecord(
            pid: UInt64(pid), instruments: [.time], executable: executable.map(ProcessImages.name) ?? "?",
            arguments: words.map { String(decoding: $0, as: UTF8.self) })
        trace = try SampleTrace(path: path, program: program, facts: Self.facts)
        let (source, sentence) = try Self.source(options)
        self.source = source
        times = ThreadTimes(of: pid)
        start = Self.now
        trace.append(
            RecordBytes.sampling(
                SamplingRecord(
                    source: source.isPerf ? .perfEvent : .cpuTimer, period: options.period,
                    waitPeriod: options.waits ? WaitSampler.period : 0, sentence: sentence)))
    }

    private static var facts: [EnvironmentRecord.Fact] {
        let kernel = ProcessFacts.text("/proc/sys/kernel/osrelease") ?? "?"
        return [
            .init(name: "cores", value: "\(sysconf(CInt(_SC_NPROCESSORS_ONLN)))"), .init(name: "kernel", value: kernel),
            .init(name: "source", value: "a running process"),
        ]
    }

    private static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    // MARK: - Which way

    private static func source(_ options: Options) throws -> (Source, String) {
        let pid = options.pid
        var reason = "that was asked for"
        if !options.onlyStops {
            do throws(PerfEvents.Refusal) {
                let events = try PerfEvents(of: pid, period: options.period)
                return (.events(events), "Sampled from outside by task-clock perf events of each thread.")
            } catch {
                if error.code == ESRCH { throw StoppedThreads.gone(pid) }
                reason = sentence(error.code)
            }
        }
        try checkStops(pid, perf: options.onlyStops ? nil : reason)
        guard let stops = StopSampler(of: pid, period: options.period) else {
            throw MemoryImageError("This processor is not supported.")
        }
        return (
            .stops(stops),
            "Sampled from outside by stops of each thread that computes, every \(StopSampler.interval / 1_000_000) ms, because \(reason)."
        )
    }

    /// How `time --pid` will sample a process.
    /// - Throws: it cannot.
    package static func outlook(of pid: pid_t) throws(MemoryImageError) -> String {
        guard let code = PerfEvents.refusal(of: pid) else { return "by perf events" }
        try checkStops(pid, perf: sentence(code))
        return "by stops of its threads, because \(sentence(code))"
    }

    /// Why perf events are refused, as a clause.
    private static func sentence(_ code: CInt) -> String {
        switch code {
        case EACCES, EPERM:
            "perf events are not permitted (they need CAP_PERFMON, or kernel.perf_event_paranoid of 2 at most and a process of the same user)"
        case EMFILE, ENFILE: "too many files are open for perf events"
        case ENOMEM: "there is no locked memory for perf events (kernel.perf_event_mlock_kb)"
        case ENOSYS, ENOENT, EOPNOTSUPP: "the kernel has no perf events"
        default: "perf events do not work here (\(String(cString: strerror(code))))"
        }
    }

    /// - Throws: a process that cannot be stopped either.
    private static func checkStops(_ pid: pid_t, perf: String?) throws(MemoryImageError) {
        let code = ProcessFacts.memoryRefusal(of: pid)
        if code == nil, ProcessFacts.status(of: pid)["TracerPid"] ?? "0" == "0" { return }
        let refusal = StoppedThreads.refusal(pid, code ?? 0)
        guard let perf, !refusal.isInput else { throw refusal }
        throw MemoryImageError(
            "Process \(pid) cannot be sampled: \(perf), and stops need CAP_SYS_PTRACE. \(refusal.sentence)")
    }

    // MARK: - The recording

    private static let lookInterval: UInt64 = 200_000_000

    /// Microseconds between two looks at the rings: the chains of awaiting callers are not older.
    private var pause: useconds_t { useconds_t(min(max(options.period / 200, 1_000), 5_000)) }

    private func run(_ isOver: () -> Bool) throws {
        let deadline = start + UInt64(min(options.duration, 1e9) * 1e9)
        var end: String?
        var nextLook = start
        let waits = options.waits ? WaitSampler(of: pid, walk: walk) : nil
        var nextWait = start
        var nextStop = start
        while !isOver() {
            let now = Self.now
            walk.now = now
            guard now < deadline else { break }
            switch source {
            case .events(let events):
                usleep(pause)
                drain(events)
            case .stops(let stops):
                if now >= nextStop {
                    stops.look { add($0, weight: $1) }
                    nextStop = max(nextStop + StopSampler.interval, Self.now)
                }
                usleep(1000)
            }
            if let waits, now >= nextWait {
                let periods = 1 + (now - nextWait) / WaitSampler.period
                nextWait += periods * WaitSampler.period
                waits.look { add($0, periods: UInt16(clamping: periods), at: now - start) }
            }
            if now >= nextLook {
                nextLook = now + Self.lookInterval
                end = self.end
                if end != nil { break }
                if case .events(let events) = source { events.forgetEnded(of: pid) }
                times.look()
                noteMemory(now - start)
            }
            for image in images.takeNews() { trace.append(RecordBytes.image(image)) }
            try trace.flush()
        }
        if case .events(let events) = source { drain(events) }
        if end == nil { times.look() }
        try finish(end)
    }

    private func drain(_ events: PerfEvents) {
        for ring in events.rings {
            let isSound = ring.drain { record in
                switch record {
                case .sample(let stack, let event):
                    // Children that it makes by fork may have inherited events, too.
                    if stack.process == pid, events.counts(event, of: stack.thread) { add(stack, weight: 1) }
                case .lost(let count): lost &+= count
                case .other: break
                }
            }
            if !isSound { lost += 1 }
        }
    }

    private func add(_ stack: CopiedStack, weight: UInt16) {
        samples += 1
        times.note(stack.thread, sampled: UInt64(weight) * options.period)
        if walk.walk(stack) { whole += 1 }
        let frames = async.joined(stack.words, at: stack.sp)
        for image in images.takeNews() { trace.append(RecordBytes.image(image)) }
        trace.append(
            frames, of: ThreadID(UInt32(bitPattern: stack.thread)), kind: .computing, weight: weight,
            time: stack.time &- min(start, stack.time))
    }

    private func add(_ waiter: WaitSampler.Waiter, periods: UInt16, at time: UInt64) {
        times.note(waiter.thread)
        for image in images.takeNews() { trace.append(RecordBytes.image(image)) }
        trace.append(
            waiter.frames, of: ThreadID(UInt32(bitPattern: waiter.thread)), kind: .waiting, weight: periods,
            time: time, isDiskWait: waiter.waitsForDisk,
            holder: ThreadID(UInt32(bitPattern: waiter.holder)))
    }

    /// Why nothing is left to be sampled; nil: the process goes on.
    private var end: String? {
        guard ProcessFacts.isRunning(pid) else { return "The process ended" }
        let mark = ProcessFacts.programMark(of: pid)
        return mark.isEmpty || mark == self.mark ? nil : "The process became another program (exec)"
    }

    private func noteMemory(_ time: UInt64) {
        guard let bytes = ProcessFacts.residentBytes(of: pid) else { return }
        trace.append(RecordBytes.resident(ResidentRecord(time: time, bytes: bytes)))
    }

    private func finish(_ end: String?) throws {
        let time = Self.now - start
        for record in times.records { trace.append(record) }
        var notes = [
            "Sampled from outside, process \(pid): the names of tasks, queues and locks are not known, and awaiting callers are as they "
                + "were some milliseconds after the sample."
        ]
        if ProcessFacts.memoryRefusal(of: pid) != nil, end == nil {
            notes.append(
                "The memory of the process may not be read, which needs CAP_SYS_PTRACE: awaiting callers and the outer frames of deep "
                    + "stacks are missing.")
        }
        if let end { notes.append("\(end) after \(NumberFormat.seconds(Double(time) / 1e9)).") }
        if samples > 0 {
            let share = NumberFormat.fixed(100 * Double(whole) / Double(samples), 1)
            notes.append(
                "\(share) % of \(NumberFormat.count(Int(samples), "stack")) were followed to their outermost frame.")
        }
        if case .stops(let stops) = source, stops.stops > 0 {
            let mean = NumberFormat.seconds(Double(stops.stopped) / Double(stops.stops) / 1e9)
            notes.append(
                "\(NumberFormat.count(Int(stops.stops), "stop")) of a thread, whose registers and stack were read in \(mean) each."
            )
        }
        for note in notes { trace.append(RecordBytes.note(RemarkRecord(sentence: note))) }
        if lost > 0 {
            trace.append(
                RecordBytes.loss(
                    RemarkRecord(
                        events: lost, sentence: "Samples were lost because the tool did not read them in time.")))
        }
        try trace.finish(time: time, dropped: lost)
    }
}
