import Foundation
import GameprofBasics

/// Sends a request by the machine's curl, which brings TLS, proxies and certificates.
enum Curl {
    /// The body goes through a file that the user alone can read; headers and URL through standard input: other users of the
    /// machine see neither.
    static func post(_ request: StoreRequest, timeout: Double) throws -> StoreAnswer {
        let folder = try PrivateFolder.temporary(for: "push")
        defer { folder.remove() }
        let body = folder.path + "/body"
        try AtomicFile.write(request.body, to: body)
        var lines = ["url = \(quoted(request.url))", "data-binary = \(quoted("@" + body))"]
        for header in request.headers.map({ "\($0.name): \($0.value)" }) + ["Expect:"] {
            lines.append("header = \(quoted(header))")
        }
        let result: HelperProcess.Result
        do {
            result = try HelperProcess.run(
                "/usr/bin/env",
                [
                    "curl", "--silent", "--globoff", "--config", "-", "--output", "/dev/null", "--max-time",
                    "\(timeout)",
                    "--proto", "=http,https", "--write-out", "%{http_code} %header{retry-after}",
                ], input: Array(lines.joined(separator: "\n").utf8))
        } catch let error as HelperProcess.NotStarted {
            throw ToolError(.toolFailed, "curl cannot be started: \(error).")
        }
        if result.code == 127 { throw ToolError(.toolFailed, "gameprof push needs curl, which is not installed.") }
        guard result.code == 0 else { return .failure(Int(result.code ?? -1)) }
        let words = String(decoding: result.output, as: UTF8.self).split(separator: " ")
        guard let status = words.first.flatMap({ Int($0) }) else { return .failure(-1) }
        return .status(status, retryAfter: words.dropFirst().first.flatMap { Double($0) })
    }

    /// A value of curl's configuration file.
    static func quoted(_ text: String) -> String {
        let escaped = text.map { character -> String in
            switch character {
            case "\\": "\\\\"
            case "\"": "\\\""
            case "\n", "\r", "\r\n": " "
            default: String(character)
            }
        }
        return "\"\(escaped.joined())\""
    }
}
