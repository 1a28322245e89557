import Synchronization

/// Answers requests for figures of the running process: for any server, as a function from a request's target to what is
/// sent back.
///
/// | path | answer |
/// |---|---|
/// | `/debug/pprof/` | a page with links |
/// | `/debug/pprof/heap`, `/debug/pprof/allocs` | sampled blocks by stack and type, for `go tool pprof` and stores |
/// | `/debug/pprof/profile?seconds=N` | CPU time of the next N seconds |
/// | `/debug/pprof/cmdline` | the program and its arguments, NUL between them |
/// | `/metrics` | OpenMetrics text |
///
/// No thread is stopped. One profile of CPU time is made at a time, and one answer of the others; a request meanwhile is
/// refused with status 503. Whoever may ask learns
/// names of functions and types: the paths belong behind what protects the server's other internal ones.
public struct Endpoints: Sendable {
    /// What is sent back.
    public struct Response: Sendable, Equatable {
        /// Of HTTP.
        public var status: Int
        /// The value of the header `Content-Type`.
        public var contentType: String
        /// The bytes behind the headers.
        public var body: [UInt8]

        init(_ status: Int, contentType: String, body: [UInt8]) {
            (self.status, self.contentType, self.body) = (status, contentType, body)
        }

        static func text(_ status: Int, _ text: String) -> Response {
            Response(status, contentType: "text/plain; charset=utf-8", body: Array(text.utf8))
        }
    }

    /// How many types `/metrics` lists, those with the most live bytes; the others are added up as `(other)`.
    public var listedTypes = 50

    /// From here on times of frames are counted.
    public init() { RecorderFrameTimes.begin() }

    private static let isProfiling = Atomic(false)
    private static let isCollecting = Atomic(false)

    /// The answer to a GET request. `target`: path and query, `/debug/pprof/heap?debug=0`. Blocks the calling thread: a heap
    /// profile takes some milliseconds, the first one longer, and a profile of CPU time the seconds that it is asked for.
    @available(*, noasync, message: "Await the other one: this one blocks its thread.")
    public func respond(to target: String) -> Response { respond(to: target, while: { true }) }

    /// The same; a profile of CPU time ends early when nobody wants it any more, which is asked four times a second.
    @available(*, noasync)
    package func respond(to target: String, while isWanted: () -> Bool) -> Response {
        let route = Route(target)
        if let answer = simpleAnswer(to: route) { return answer }
        guard case .profile(let seconds) = route else {
            return Self.alone(Self.isCollecting) { measuredAnswer(to: route) }
        }
        return Self.alone(Self.isProfiling) {
            Self.answer(to: RecorderCPU.begin(), orElse: .noCPUTime) { profile in
                Pause.seconds(seconds, while: isWanted)
                return .pprof(profile.finish())
            }
        }
    }

    private static func answer<Figures>(
        to collected: Collected<Figures>, orElse missing: Response, _ answer: (Figures) -> Response
    ) -> Response {
        switch collected {
        case .figures(let figures): answer(figures)
        case .busy: .busy
        case .notRecorded: missing
        }
    }

    /// The same for async code: the task is suspended while CPU time is profiled. Is the task cancelled, the profile ends early.
    /// The other answers are made on the task's thread: some milliseconds of CPU time, the first one more.
    public func respond(to target: String) async -> Response {
        let route = Route(target)
        if let answer = simpleAnswer(to: route) { return answer }
        guard case .profile(let seconds) = route else {
            return Self.alone(Self.isCollecting) { measuredAnswer(to: route) }
        }
        guard Self.begin(Self.isProfiling) else { return .busy }
        defer { Self.isProfiling.store(false, ordering: .releasing) }
        switch RecorderCPU.begin() {
        case .busy: return .busy
        case .notRecorded: return .noCPUTime
        case .figures(let profile):
            try? await Task.sleep(for: .seconds(seconds))
            return .pprof(profile.finish())
        }
    }

    private static func begin(_ work: borrowing Atomic<Bool>) -> Bool {
        work.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged
    }

    private static func alone(_ work: borrowing Atomic<Bool>, _ answer: () -> Response) -> Response {
        guard begin(work) else { return .busy }
        defer { work.store(false, ordering: .releasing) }
        return answer()
    }

    /// What costs nothing.
    private func simpleAnswer(to route: Route) -> Response? {
        switch route {
        case .index: Response(200, contentType: "text/html; charset=utf-8", body: Array(IndexPage.html.utf8))
        case .commandLine: Response(200, contentType: "text/plain; charset=utf-8", body: CommandLineText.bytes())
        case .refused(let status, let reason): .text(status, reason + "\n")
        case .heap, .allocations, .metrics, .profile: nil
        }
    }

    private func metrics(_ heap: HeapFigures?) -> Response {
        let text = Metrics.text(heap, RecorderFrameTimes.read(), listedTypes: listedTypes)
        return Response(200, contentType: OpenMetricsText.contentType, body: Array(text.utf8))
    }

    private func measuredAnswer(to route: Route) -> Response {
        switch route {
        case .metrics:
            return Self.answer(to: RecorderHeap.collect(), orElse: metrics(nil)) { metrics($0) }
        case .heap, .allocations:
            return Self.answer(to: RecorderHeap.collect(), orElse: .noHeap) { figures in
                let shown: HeapProfile.Shown = route == .heap ? .live : .allocated
                return .pprof(HeapProfile.encode(figures, shown: shown, frames: RecorderStacks.frames))
            }
        case .index, .commandLine, .refused, .profile:
            return .text(404, "Not found.\n")
        }
    }
}

extension Endpoints.Response {
    static let busy = text(503, "Another request is being answered. Only one is answered at a time.\n")
    static let noHeap = text(
        503, "Blocks are not sampled in this process: start it with GAMEPROF=allocations GAMEPROF_SAMPLE=512k.\n")
    static let noCPUTime = text(
        503, "CPU time is not sampled in this process: start it with GAMEPROF=allocations,time GAMEPROF_SAMPLE=512k.\n")

    static func pprof(_ bytes: [UInt8]) -> Self { Self(200, contentType: "application/octet-stream", body: bytes) }
}
