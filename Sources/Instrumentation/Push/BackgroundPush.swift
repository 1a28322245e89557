import Foundation
import GameprofBasics
import Synchronization

/// Sends this process's own profiles to Pyroscope or Parca while it runs.
///
/// ```swift
/// let push = try BackgroundPush(to: "http://localhost:4040", service: "game", labels: ["version": "1.2"])
/// ```
///
/// Every 15 seconds: what was allocated since the time before and what lives, by stack and Swift type, and the CPU time since the
/// time before, each where this process records it (`GAMEPROF=allocations,time GAMEPROF_SAMPLE=512k`). A process that records
/// nothing sends nothing. The environment can ask for the same without a line of code: `GAMEPROF_PUSH_TO=http://localhost:4040`.
///
/// Two threads do it. The program never waits for them, whether the store answers or not; what the store cannot take is kept for
/// a while, at most 12 profiles and 16 MB. At exit at most half a second passes. A child made by fork sends nothing.
public final class BackgroundPush: Sendable {
    /// What the store is.
    public enum Store: String, Sendable, Hashable, CaseIterable {
        /// Pyroscope, by its path `/ingest`.
        case pyroscope
        /// Parca, by its path `/api/profiles/writeraw`.
        case parca
    }

    /// Why nothing can be sent, in one sentence.
    public struct ConfigurationError: Error, CustomStringConvertible, Sendable, Hashable {
        public let description: String
    }

    /// What became of the profiles so far.
    public struct State: Sendable, Hashable {
        /// The store has them.
        public var sent: Int
        /// It has them not, and will not: refused, not taken in time, or given up for newer ones.
        public var lost: Int
        /// They are queued.
        public var waiting: Int
        /// Why the last one did not arrive; nil: it did, or none was sent yet.
        public var problem: String?
    }

    private let work: PushWork

    /// Begins to send, until `stop()` or for as long as the program runs. Waits for nothing.
    ///
    /// - Parameters:
    ///   - url: of the store, with the path in front of its API.
    ///   - service: what the profiles are of; nil: the program's name.
    ///   - labels: of all profiles. `host` is added where it is missing.
    ///   - token: sent as `Authorization: Bearer`.
    ///   - interval: 1 second to 1 hour.
    /// - Throws: for what the store could not take, and where this process sends already.
    public convenience init(
        to url: String, store: Store = .pyroscope, service: String? = nil, labels: [String: String] = [:],
        token: String? = nil, every interval: Duration = .seconds(15)
    ) throws(ConfigurationError) {
        let settings = PushSettings(
            url: url, store: store, service: service, labels: labels, token: token,
            seconds: interval / .seconds(1))
        try self.init(settings, sinceProcessStart: nil)
    }

    init(_ settings: PushSettings, sinceProcessStart: Date?) throws(ConfigurationError) {
        work = try settings.work()
        guard CurrentPush.set(work) else {
            throw ConfigurationError(description: "This process sends its profiles already.")
        }
        work.begin(sinceProcessStart: sinceProcessStart)
    }

    /// What became of the profiles up to now.
    public var state: State { work.state }

    /// Sends no more. Profiles that wait are given up. Returns when no request is under way, within half a second.
    public func stop() { CurrentPush.stop(work) }
}

/// The one that sends.
enum CurrentPush {
    private static let current = Mutex<PushWork?>(nil)
    private static let longest = 0.5

    /// A child made by fork has the parent's, without its threads.
    static func set(_ work: PushWork) -> Bool {
        current.withLock { current in
            guard current?.process != work.process else { return false }
            current = work
            return true
        }
    }

    static func stop(_ work: PushWork) {
        work.stop(seconds: longest)
        current.withLock { if $0 === work { $0 = nil } }
    }

    /// Call it once a session is made: what libcurl and OpenSSL do at exit then comes after what is done here, which ends their
    /// use.
    static func prepareExit() { endsAtExit }

    private static let endsAtExit: Void = {
        processOfExit.store(getpid(), ordering: .relaxed)
        atexit { CurrentPush.endAtExit() }
    }()

    private static let processOfExit = Atomic<pid_t>(0)

    private static func endAtExit() {
        // A child made by fork may have a lock of a thread that it does not have.
        guard processOfExit.load(ordering: .relaxed) == getpid() else { return }
        current.withLock { $0 }?.stop(seconds: longest)
    }
}
