import ArgumentParser
import Foundation
import GameprofAnalysis
import GameprofBasics
import GameprofCheck
import GameprofTrace

struct PushCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push", abstract: "Send the profiles of a trace to Pyroscope or Parca.",
        usage: "gameprof push F.gptrace --to URL [--store parca] [--label k=v]…",
        discussion: """
            Sends what the trace has: CPU time, allocated memory, and the memory that is live at its end, as pprof. \
            What the store does not accept now is sent again after increasing pauses, for up to a minute. Requests are \
            made by the machine's curl, which brings TLS and proxies. A token in GAMEPROF_PUSH_TOKEN is sent as a \
            bearer token, and the lines of GAMEPROF_PUSH_HEADERS as HTTP headers (X-Scope-OrgID: team).

            Exit codes: 0 the store has all profiles, 2 wrong usage or an unreadable trace, 4 the store refused one or did \
            not answer in time.
            """)

    @OptionGroup(title: HelpTitle.target) var trace: TraceArgument
    @OptionGroup(title: HelpTitle.analysis) var symbols: SymbolOptions

    @Option(name: .customLong("to"), help: ArgumentHelp("URL of the store (http://localhost:4040).", valueName: "url"))
    var url: String

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The kind of store: pyroscope, parca or experimental-otlp.",
            discussion: """
                The last is OTLP profiles v1development (opentelemetry-proto 1.10.0) over HTTP. The format is not stable: \
                another version of the receiver may refuse it.
                """,
            valueName: "store"))
    var store = Store.pyroscope

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A label; may be repeated. service_name is the name of the service (default: the program's).",
            valueName: "name=value"))
    var label: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Time for all attempts of a profile (default 60 s).", valueName: "seconds", visibility: .hidden))
    var timeout = 60.0

    @OptionGroup(title: HelpTitle.output) var printing: QuietOptions

    /// What takes the profiles, and in which format.
    enum Store: String, ExpressibleByArgument {
        case pyroscope, parca
        case otlp = "experimental-otlp"

        /// Nil: any receiver of OTLP.
        var profileStore: ProfileStore? {
            switch self {
            case .pyroscope: .pyroscope
            case .parca: .parca
            case .otlp: nil
            }
        }
    }

    /// Lines `Name: value`.
    private var headers: [String] {
        let variable = ProcessInfo.processInfo.environment["GAMEPROF_PUSH_HEADERS"] ?? ""
        return variable.split(separator: "\n").map(String.init)
    }

    func validate() throws {
        guard (1...86_400).contains(timeout) else { throw ValidationError("--timeout takes seconds from 1 to 86400.") }
        for text in headers where !text.contains(":") || text.contains(where: \.isNewline) {
            throw ValidationError("GAMEPROF_PUSH_HEADERS takes lines “Name: value”, not “\(text)”.")
        }
    }

    func run() throws {
        let trace = trace.path
        let recording = try RecordingReader.read(path: trace)
        let symbolicator = Symbolicator(recording: recording, search: symbols.search)
        defer { for problem in symbolicator.problems { StandardError.say(problem) } }
        let profiles = profiles(recording, symbolicator)
        guard !profiles.isEmpty else {
            throw ToolError(.wrongUsage, "\(trace) has neither samples nor allocations to send.")
        }
        let requests: [(String, StoreRequest)]
        do {
            requests = try self.requests(profiles)
        } catch let error as StoreRequestError {
            throw ToolError(.wrongUsage, error.description)
        }
        for (name, request) in requests { try send(request, name) }
        if !printing.quiet { StandardError.say("Sent \(requests.map(\.0).joined(separator: ", ")).") }
    }

    private func requests(_ profiles: [(String, Profile)]) throws -> [(String, StoreRequest)] {
        var labels = try StoreLabels.parse(label)
        let named = labels.removeValue(forKey: "service_name")
        let service = named ?? (profiles[0].1.program as NSString).lastPathComponent
        let headers = try requestHeaders()
        if let store = store.profileStore {
            let destination = try StoreDestination(
                url, store: store, service: service, labels: labels, headers: headers)
            return try profiles.map { ($0, try destination.request(StoredProfile($1))) }
        }
        let attributes = labels.merging(["service.name": service]) { $1 }
        let request = StoreRequest(
            url: try StoreURL(url).appending(OtlpExport.path),
            headers: [("Content-Type", "application/x-protobuf")] + headers,
            body: Data(OtlpExport.request(profiles.map(\.1), attributes: attributes)))
        return [(profiles.map(\.0).joined(separator: ", "), request)]
    }

    private func requestHeaders() throws -> [(name: String, value: String)] {
        let own = headers.map { text in
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (name: String(parts[0]), value: parts[1].trimmingCharacters(in: .whitespaces))
        }
        return try own + StoreToken.headers(ProcessInfo.processInfo.environment["GAMEPROF_PUSH_TOKEN"])
    }

    private func profiles(_ recording: Recording, _ symbolicator: Symbolicator) -> [(String, Profile)] {
        var result: [(String, Profile)] = []
        if !recording.samples.entries.isEmpty {
            let profile = ProfileBuilder.build(recording, symbolicator: symbolicator, keepsRuntimeFrames: false)
            result.append(("CPU time", profile.only(.computing)))
        }
        if !recording.allocations.byStack.isEmpty {
            for (name, live) in [("allocated memory", false), ("live memory", true)] {
                result.append(
                    (
                        name,
                        Profile(
                            allocationsOf: recording, symbolicator: symbolicator, live: live, keepsRuntimeFrames: false)
                    ))
            }
        }
        return result
    }

    private func send(_ request: StoreRequest, _ name: String) throws {
        // OTLP names what may be sent again.
        let attempts =
            store == .otlp
            ? PushAttempts(budget: timeout) { [429, 502, 503, 504].contains($0) } : PushAttempts(budget: timeout)
        let outcome = try attempts.run { try Curl.post(request, timeout: $0) }
        if let problem = outcome.problem(of: "the profile of \(name)", limit: "--timeout", reason: Self.reason) {
            throw ToolError(.toolFailed, problem)
        }
    }

    /// Of curl's codes those that happen.
    private static func reason(_ code: Int) -> String {
        switch code {
        case 5, 6: "its name cannot be resolved"
        case 7: "nothing listens at that address"
        case 28: "it took too long"
        case 35, 51, 58, 59, 60: "no TLS connection can be made"
        default: "curl failed with code \(code)"
        }
    }
}
