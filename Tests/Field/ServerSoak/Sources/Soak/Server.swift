import Foundation

/// A running server: its process, its port and what the kernel says of it.
final class Server: @unchecked Sendable {
    let port: UInt16
    private let process = Process()

    struct NotRunning: Error {}

    init(_ executable: URL, environment: [String: String], folder: URL) throws {
        let output = Pipe()
        process.executableURL = executable
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.currentDirectoryURL = folder
        process.standardOutput = output
        try process.run()
        let said = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = UInt16(said.filter(\.isNumber)) else { throw NotRunning() }
        self.port = port
    }

    var isRunning: Bool { process.isRunning }

    /// User and system time, in seconds.
    var cpuSeconds: Double {
        let fields =
            Self.contents("/proc/\(process.processIdentifier)/stat").split(separator: ")").last?
            .split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Resident bytes.
    var resident: Int {
        let pages = Self.contents("/proc/\(process.processIdentifier)/statm").split(separator: " ").dropFirst().first
        return (pages.flatMap { Int($0) } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    func end() -> Int32 {
        process.terminate()
        process.waitUntilExit()
        return process.terminationStatus
    }

    private static func contents(_ path: String) -> String {
        (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }
}
