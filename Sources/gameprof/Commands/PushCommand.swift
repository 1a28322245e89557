import ArgumentParser
import Foundation
import GameprofBasics
import GameprofExport
import GameprofProfileStores
import GameprofProfiler
import GameprofRecording
import GameprofSymbolication
import GameprofTraceFile

struct PushCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push", abstract: "Send the profiles of a trace to Pyroscope or Parca.",
        usage: "gameprof push F.gptrace --to URL [--store parca] [--service NAME] [--label k=v]… [--experimental-otlp]",
        discussion: """
            Sends what the trace has: CPU time, allocated memory, and the memory that is live at its end, as pprof. What the \
            store cannot take now is sent again after a growing pause, until --timeout is over. Requests are made by the \
            machine's curl, which brings TLS and proxies. A token in GAMEPROF_PUSH_TOKEN is sent as a bearer token.

            Exit codes: 0 the store has all profiles, 2 wrong usage or an unreadable trace, 4 the store refused one or did \
            not answer in time.
            """)

    @Argument(help: ArgumentHelp("The trace.", valueName: "file.gptrace"))
    var trace: String

    @Option(name: .customLong("to"), help: ArgumentHelp("URL of the store (http://localhost:4040).", valueName: "url"))
    var url: String

    @Option(name: .long, help: "What the store is: pyroscope (default) or parca.")
    var store: ProfileStore = .pyroscope

    @Flag(
        name: .long,
        help: ArgumentHelp(
            "Send OTLP profiles v1development (opentelemetry-proto 1.10.0) over HTTP instead.",
            discussion: "The format is not stable: another version of the receiver may refuse it."))
    var experimentalOtlp = false

    @Option(name: .long, help: ArgumentHelp("Name of the service (default: the program's).", valueName: "name"))
    var service: String?

    @Option(name: .long, help: ArgumentHelp("A label, several times.", valueName: "name=value"))
    var label: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("An HTTP header, several times (X-Scope-OrgID: team).", valueName: "name: value"))
    var header: [String] = []

    @Option(name: .long, help: ArgumentHelp("Time for all attempts of a profile (default 60 s).", valueName: "seconds"))
    var timeout = 60.0

    @Flag(name: .long, help: "Print errors only.")
    var quiet = false

    @OptionGroup var symbols: SymbolOptions

    func validate() throws {
        guard (1...86_400).contains(timeout) else { throw ValidationError("--timeout takes seconds from 1 to 86400.") }
        if experimentalOtlp, store != .pyroscope { throw ValidationError("--store is not for --experimental-otlp.") }
        for text in header where !text.contains(":") || text.contains(where: \.isNewline) {
            throw ValidationError("--header takes “Name: value”.")
        }
    }

    func run() throws {
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
        if !quiet { StandardError.say("Sent \(requests.map(\.0).joined(separator: ", ")).") }
    }

    private func requests(_ profiles: [(String, Profile)]) throws -> [(String, StoreRequest)] {
        let service = service ?? (profiles[0].1.program as NSString).lastPathComponent
        let labels = try StoreLabels.parse(label)
        guard experimentalOtlp else {
            let destination = try StoreDestination(url, store: store, service: service, labels: labels)
            return try profiles.map { ($0, try destination.request(StoredProfile($1))) }
        }
        let attributes = labels.merging(["service.name": service]) { $1 }
        let request = StoreRequest(
            url: try StoreURL(url).appending(OtlpExport.path), headers: [("Content-Type", "application/x-protobuf")],
            body: Data(OtlpExport.request(profiles.map(\.1), attributes: attributes)))
        return [(profiles.map(\.0).joined(separator: ", "), request)]
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
        var headers = header
        if let token = ProcessInfo.processInfo.environment["GAMEPROF_PUSH_TOKEN"], !token.isEmpty {
            headers.append("Authorization: Bearer \(token)")
        }
        // OTLP names what may be sent again.
        let attempts =
            experimentalOtlp
            ? PushAttempts(budget: timeout) { [429, 502, 503, 504].contains($0) } : PushAttempts(budget: timeout)
        let outcome = try attempts.run {
            try Curl.post(request, extraHeaders: headers, timeout: $0)
        }
        switch outcome {
        case .delivered: return
        case .refused(let status):
            throw ToolError(.toolFailed, "The store refused the profile of \(name): HTTP status \(status).")
        case .timeOver(.status(let status, _)):
            throw ToolError(
                .toolFailed, "The store did not take the profile of \(name): HTTP status \(status), again and again.")
        case .timeOver(.failure(let code)):
            throw ToolError(.toolFailed, "The store did not answer: \(Self.reason(code)).")
        }
    }

    /// Of curl's codes those that happen.
    private static func reason(_ code: Int) -> String {
        switch code {
        case 5, 6: "its name cannot be resolved"
        case 7: "nothing listens there"
        case 28: "it took too long"
        case 35, 51, 58, 59, 60: "no TLS connection can be made"
        default: "curl failed with code \(code)"
        }
    }
}

extension ProfileStore: ExpressibleByArgument {}
