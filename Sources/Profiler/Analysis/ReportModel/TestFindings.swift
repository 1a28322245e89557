import Foundation
import GameprofBasics

/// What one check of a test found, as the test process leaves it for `gameprof test`: a line of JSON in a file of the
/// folder that `GAMEPROF_TEST_FINDINGS` names. Checks that found nothing leave theirs too.
public struct TestFindings: Codable, Hashable, Sendable {
    /// The variable of the environment that names the folder.
    public static let variable = "GAMEPROF_TEST_FINDINGS"
    private static let name = "checks.jsonl"

    /// What was looked for.
    public enum Subject: String, Codable, Sendable {
        case leaks, zombies, allocations
    }

    /// Allocations that were counted.
    public struct Count: Codable, Hashable, Sendable {
        /// Name of the class; absent: all blocks.
        public var type: String?
        public var measured: UInt64
        public var limit: Int
        /// What is said of a limit that was not kept; absent: it was.
        public var breach: String?

        public init(type: String?, measured: UInt64, limit: Int, breach: String? = nil) {
            self.type = type
            self.measured = measured
            self.limit = limit
            self.breach = breach
        }
    }

    /// When a check was made.
    public struct Interval: Codable, Hashable, Sendable {
        /// Seconds since 1970.
        public var start: Double
        public var end: Double

        public init(start: Double, end: Double) {
            self.start = start
            self.end = end
        }

        /// From a moment on until now.
        public init(since start: Date) {
            self.init(start: start.timeIntervalSince1970, end: Date().timeIntervalSince1970)
        }
    }

    public var test: String
    public var subject: Subject
    /// Absent where it is not known.
    public var interval: Interval?
    /// Of what was found; its errors fail the test.
    public var report: Report?
    public var count: Count?
    /// A sentence: why it fails beside that.
    public var failure: String?

    public init(
        test: String, subject: Subject, report: Report? = nil, count: Count? = nil, failure: String? = nil,
        interval: Interval? = nil
    ) {
        self.interval = interval
        self.test = test
        self.subject = subject
        self.report = report
        self.count = count
        self.failure = failure
    }

    /// Seconds in which at least one of the checks was being made: those inside others and beside others count once.
    public static func seconds(of checks: [TestFindings]) -> Double {
        var (seconds, end) = (0.0, -Double.infinity)
        for interval in checks.compactMap(\.interval).sorted(by: { $0.start < $1.start }) where interval.end > end {
            seconds += interval.end - max(interval.start, end)
            end = interval.end
        }
        return seconds
    }

    /// Appends the line, if a folder is named: in one write, since tests run side by side.
    public func leave(environment: [String: String] = ProcessInfo.processInfo.environment) {
        guard let folder = environment[Self.variable], var line = try? JSONEncoder().encode(self) else { return }
        line.append(UInt8(ascii: "\n"))
        let file = open("\(folder)/\(Self.name)", O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        line.withUnsafeBytes { _ = write(file, $0.baseAddress, $0.count) }
        close(file)
    }

    /// What the tests left in the folder, by their names. A line that is none is left out.
    public static func read(folder: String) -> [TestFindings] {
        let lines = RegularFile.contents("\(folder)/\(name)")?.split(separator: UInt8(ascii: "\n")) ?? []
        return lines.compactMap { try? JSONDecoder().decode(TestFindings.self, from: Data($0)) }
            .sorted { $0.test < $1.test }
    }
}
