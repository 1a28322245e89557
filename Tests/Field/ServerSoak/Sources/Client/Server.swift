import Foundation

/// A running server: its process, its port and what the kernel says of it.
package final class Server: @unchecked Sendable {
    package let port: UInt16
    private let process = Process()

    package struct NotRunning: Error {}

    package init(_ executable: URL, environment: [String: String], folder: URL) throws {
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

    package var number: Int32 { process.processIdentifier }

    package var isRunning: Bool { process.isRunning }

    /// User and system time, in seconds.
    package var cpuSeconds: Double {
        let fields =
            Self.contents("/proc/\(process.processIdentifier)/stat").split(separator: ")").last?
            .split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Resident bytes.
    package var resident: Int {
        let pages = Self.contents("/proc/\(process.processIdentifier)/statm").split(separator: " ").dropFirst().first
        return (pages.flatMap { Int($0) } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    package func end() -> Int32 {
        process.terminate()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Open descriptors.
    package var descriptors: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(number)/fd").count) ?? 0
    }

    /// The state of each thread, as the kernel abbreviates it, and the process that traces it.
    package var threads: [(state: Character, tracer: String)] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(number)/task")) ?? []
        return tasks.map { task in
            let lines = Self.contents("/proc/\(number)/task/\(task)/status").split(separator: "\n")
            func word(_ name: String) -> Substring? {
                lines.first { $0.hasPrefix(name) }?.split(whereSeparator: \.isWhitespace).dropFirst().first
            }
            return (word("State:")?.first ?? "?", String(word("TracerPid:") ?? "0"))
        }
    }

    private static func contents(_ path: String) -> String {
        (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }
}
