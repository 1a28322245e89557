import Foundation
import GameprofAnalysis

/// A file format of other people's viewers, and the writer of it.
public enum ExportFormat: String, CaseIterable, Sendable {
    /// Protocol buffers of `go tool pprof`, not compressed.
    case pprof
    /// JSON of speedscope.app: a profile for each thread, in order of time.
    case speedscope
    /// `outermost;…;innermost count`, a line for each stack: input of flame graph scripts.
    case collapsed
    /// JSON of profiler.firefox.com (processed profile, version 54).
    case firefox
    /// JSON of chrome://tracing and ui.perfetto.dev: frames as nested slices.
    case chrome
    /// Text as `perf script` prints it.
    case perfScript = "perf-script"

    /// What a file of this format is called.
    public var fileExtension: String {
        switch self {
        case .pprof: "pb"
        case .speedscope: "speedscope.json"
        case .collapsed: "collapsed.txt"
        case .firefox: "firefox.json"
        case .chrome: "trace.json"
        case .perfScript: "perf.txt"
        }
    }

    /// Bytes are written, not text.
    public var isBinary: Bool { self == .pprof }

    /// Whether the format can say bytes of allocations; the others know time alone.
    public var hasBytes: Bool {
        switch self {
        case .pprof, .speedscope, .collapsed: true
        case .firefox, .chrome, .perfScript: false
        }
    }

    /// Whether the format can show probes, frames and marks beside samples.
    public var hasProbes: Bool {
        switch self {
        case .firefox, .chrome: true
        case .pprof, .speedscope, .collapsed, .perfScript: false
        }
    }

    /// The profile in this format. Linear in samples and in the frames of their stacks.
    public func render(_ profile: Profile) throws -> Data {
        switch self {
        case .pprof: return PprofExport.render(profile)
        case .speedscope: return try SpeedscopeExport.render(profile)
        case .collapsed: return Data(CollapsedStacks.render(profile).utf8)
        case .firefox: return try FirefoxExport.render(profile)
        case .chrome: return try ChromeTraceExport.render(profile)
        case .perfScript: return Data(PerfScriptExport.render(profile).utf8)
        }
    }
}

/// JSON with sorted keys: equal profiles are equal bytes.
enum ExportJSON {
    static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }
}
