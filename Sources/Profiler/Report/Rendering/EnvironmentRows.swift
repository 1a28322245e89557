import GameprofAnalysis
import GameprofBasics

/// What a recording was made on, in words: a row for each thing that a reader may ask for, known or not.
package enum EnvironmentRows {
    package struct Row: Hashable, Sendable {
        package var name: String
        package var value: String
    }

    private static let unknown = "not known"

    /// Facts that no row speaks of come last, by name.
    package static func rows(_ facts: [String: String]) -> [Row] {
        var known = facts
        func take(_ name: String) -> String? { known.removeValue(forKey: name) }
        let started = take("started").map { $0.replacing("T", with: " ").replacing("Z", with: " UTC") }
        let (cores, online) = (take("cores"), take("online"))
        let (memory, architecture) = (take("memory").flatMap(UInt64.init), take("architecture"))
        let (recorder, loading) = (take("recorder"), take("loading"))
        let (processor, system, kernel) = (take("processor"), take("system"), take("kernel"))
        let (swift, tool) = (take("swift"), take("gameprof"))
        var rows = [Row(name: "started", value: started ?? unknown)]
        if let source = take("source") {
            // Nothing of the program was recorded.
            rows = [Row(name: "read from", value: source), Row(name: "read at", value: started ?? unknown)]
        } else if recorder == nil {
            rows.append(Row(name: "machine", value: "not known, because an older recorder wrote the trace"))
        } else {
            rows += [
                Row(
                    name: "processor",
                    value: [processor, architecture].compactMap { $0 }.joined(separator: ", ").nonEmpty ?? unknown),
                Row(name: "cores", value: cores.map { text($0, of: online) } ?? unknown),
                Row(name: "memory", value: memory.map(NumberFormat.bytes) ?? unknown),
                Row(name: "system", value: system ?? unknown), Row(name: "kernel", value: kernel ?? unknown),
                Row(name: "Swift runtime", value: swift ?? "\(unknown): linked into the program, or none"),
            ]
        }
        if facts["source"] == nil {
            rows.append(
                Row(
                    name: "recorder",
                    value: recorder.map { "gameprof \($0)" + (loading.map { ", \($0)" } ?? "") } ?? unknown))
        }
        if let tool { rows.append(Row(name: "report", value: "gameprof \(tool)")) }
        return rows + known.sorted { $0.key < $1.key }.map { Row(name: $0.key, value: $0.value) }
    }

    private static func text(_ cores: String, of online: String?) -> String {
        guard let online, online != cores else { return cores }
        return "\(cores) of \(online)"
    }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
