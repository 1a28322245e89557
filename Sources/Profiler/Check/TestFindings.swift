import Foundation

/// What one test lost, as the test process leaves it for `gameprof test`: a file for each test with findings, in the
/// folder that `GAMEPROF_TEST_FINDINGS` names.
public struct TestFindings: Codable, Hashable, Sendable {
    /// The variable of the environment that names the folder.
    public static let variable = "GAMEPROF_TEST_FINDINGS"

    public var test: String
    public var report: Report

    public init(test: String, report: Report) {
        self.test = test
        self.report = report
    }

    /// Writes the file, when somebody wants it.
    public func leave(environment: [String: String] = ProcessInfo.processInfo.environment) {
        guard let folder = environment[Self.variable], let data = try? JSONEncoder().encode(self) else { return }
        try? data.write(to: URL(fileURLWithPath: folder).appendingPathComponent("\(UUID().uuidString).json"))
    }

    private static let measured = "measured"

    /// Notes that a stretch of a test was measured, whatever came of it, when somebody wants to know.
    public static func noteMeasurement(environment: [String: String] = ProcessInfo.processInfo.environment) {
        guard let folder = environment[variable] else { return }
        let file = open("\(folder)/\(measured)", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        _ = write(file, "1", 1)
        close(file)
    }

    /// How many stretches of tests were measured.
    public static func measurements(folder: String) -> Int {
        FileManager.default.contents(atPath: "\(folder)/\(measured)")?.count ?? 0
    }

    /// What the tests left in the folder, by their names. A file that is none is left out.
    public static func read(folder: String) -> [TestFindings] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".json") }.compactMap { name in
            FileManager.default.contents(atPath: "\(folder)/\(name)")
                .flatMap { try? JSONDecoder().decode(TestFindings.self, from: $0) }
        }
        .sorted { $0.test < $1.test }
    }
}
