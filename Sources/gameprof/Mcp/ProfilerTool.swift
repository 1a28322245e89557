import Foundation
import GameprofBasics

/// A tool that an agent can call: what it takes, and the command line of gameprof that does it.
struct ProfilerTool: Sendable {
    typealias JSON = [String: Any]

    struct Parameter: Sendable {
        enum Kind {
            case text, number, list
            case choice([String])
        }

        var name: String
        var kind: Kind
        var meaning: String
        var isNeeded = true
    }

    var name: String
    var summary: String
    var parameters: [Parameter]
    /// Without gameprof itself and the options of the result.
    var arguments: @Sendable (Given) throws(ToolServer.Refusal) -> [String]

    /// As `tools/list` has it.
    var description: JSON {
        var properties: JSON = [:]
        for parameter in parameters + Self.ofResult {
            var property: JSON = ["description": parameter.meaning]
            switch parameter.kind {
            case .text: property["type"] = "string"
            case .number: property["type"] = "integer"
            case .list: (property["type"], property["items"]) = ("array", ["type": "string"])
            case .choice(let names): (property["type"], property["enum"]) = ("string", names)
            }
            properties[parameter.name] = property
        }
        return [
            "name": name, "description": summary,
            "inputSchema": [
                "type": "object", "properties": properties, "required": parameters.filter(\.isNeeded).map(\.name),
            ] as JSON,
        ]
    }

    /// Seconds that a call takes at most.
    private static let limit = 300

    private static let ofResult = [
        Parameter(
            name: "part", kind: .text, meaning: "Only this part of the answer: a key, as findings or liveHeap.types.",
            isNeeded: false),
        Parameter(
            name: "limit", kind: .number, meaning: "Seconds after which the program is asked to end (300).",
            isNeeded: false),
        Parameter(
            name: "from", kind: .number, meaning: "Of a part that is a list: its first row, from 0.", isNeeded: false),
    ]

    /// What was given, checked.
    struct Given {
        fileprivate var values: JSON

        func text(_ name: String) throws(ToolServer.Refusal) -> String? {
            guard let value = values[name], !(value is NSNull) else { return nil }
            guard let text = value as? String, !text.isEmpty, !text.contains("\0") else {
                throw .wrongParameters("\(name) has to be a text.")
            }
            return text
        }

        /// A path or a name that cannot be taken for an option.
        func path(_ name: String) throws(ToolServer.Refusal) -> String? {
            guard let path = try text(name) else { return nil }
            return path.hasPrefix("-") ? "./" + path : path
        }

        func number(_ name: String) throws(ToolServer.Refusal) -> Int? {
            guard let value = values[name], !(value is NSNull) else { return nil }
            guard let number = value as? Int, number >= 0 else {
                throw .wrongParameters("\(name) has to be a whole number from 0 on.")
            }
            return number
        }

        func list(_ name: String) throws(ToolServer.Refusal) -> [String]? {
            guard let value = values[name], !(value is NSNull) else { return nil }
            guard let list = value as? [String], !list.isEmpty, !list.contains(where: { $0.contains("\0") }) else {
                throw .wrongParameters("\(name) has to be a list of texts.")
            }
            return list
        }

        func choice(_ name: String, of names: [String]) throws(ToolServer.Refusal) -> String {
            guard let name = try text(name), names.contains(name) else {
                throw .wrongParameters("\(name) has to be one of \(names.joined(separator: ", ")).")
            }
            return name
        }

        /// What is looked at: a program that is run, a running process, or a core file.
        func target() throws(ToolServer.Refusal) -> [String] {
            if let pid = try number("pid") { return ["--pid", "\(pid)"] }
            if let core = try path("core") { return [core] }
            guard let program = try list("program") else {
                throw .wrongParameters("program, pid or core is missing.")
            }
            return ["--"] + program
        }
    }

    func call(_ values: JSON) throws(ToolServer.Refusal) -> ToolAnswer {
        for parameter in parameters where parameter.isNeeded && values[parameter.name] == nil {
            throw .wrongParameters("\(parameter.name) is missing.")
        }
        let known = Set((parameters + Self.ofResult).map(\.name))
        if let other = values.keys.sorted().first(where: { !known.contains($0) }) {
            throw .wrongParameters("\(PlainText.clean(other)) is not known.")
        }
        let given = Given(values: values)
        return ToolAnswer(
            of: try arguments(given), part: try given.text("part"), from: try given.number("from") ?? 0,
            seconds: try given.number("limit") ?? Self.limit)
    }
}

extension ProfilerTool {
    private static let instruments = ["leaks", "heap", "footprint", "allocations", "time", "zombies", "files"]
    private static let ofProcesses = ["leaks", "heap", "footprint", "time"]

    private static let program = Parameter(
        name: "program", kind: .list, meaning: "The program and its arguments, to be run.", isNeeded: false)
    private static let pid = Parameter(
        name: "pid", kind: .number, meaning: "A process that runs; it is paused and not changed.", isNeeded: false)
    private static let core = Parameter(name: "core", kind: .text, meaning: "A core file.", isNeeded: false)
    private static let seconds = Parameter(
        name: "seconds", kind: .number, meaning: "How long a process is sampled (time).", isNeeded: false)

    static let all = [
        ProfilerTool(
            name: "record",
            summary: "Run a program under an instrument and report. The trace can be kept for report and diff.",
            parameters: [
                Parameter(name: "instrument", kind: .choice(instruments), meaning: "What is recorded."),
                Parameter(name: "program", kind: .list, meaning: "The program and its arguments."),
                Parameter(name: "trace", kind: .text, meaning: "Keep the trace here (F.gptrace).", isNeeded: false),
            ],
            arguments: { (given) throws(ToolServer.Refusal) in
                let kept = try given.path("trace").map { ["--output", $0] } ?? []
                return [try given.choice("instrument", of: instruments)] + kept + ["--"]
                    + (try given.list("program") ?? [])
            }),
        ProfilerTool(
            name: "look", summary: "Look at a running process (or a core file) without having prepared it.",
            parameters: [
                Parameter(name: "instrument", kind: .choice(ofProcesses), meaning: "What is asked for."), pid, core,
                seconds,
            ],
            arguments: { (given) throws(ToolServer.Refusal) in
                let instrument = try given.choice("instrument", of: ofProcesses)
                let length = instrument == "time" ? ["--for", "\(try given.number("seconds") ?? 5)s"] : []
                return [instrument] + length + (try given.target())
            }),
        ProfilerTool(
            name: "report", summary: "Report of a kept trace.",
            parameters: [Parameter(name: "trace", kind: .text, meaning: "F.gptrace")],
            arguments: { (given) throws(ToolServer.Refusal) in ["report", try given.path("trace") ?? ""] }),
        ProfilerTool(
            name: "why", summary: "What keeps the living objects of a type alive, by the shortest path from a root.",
            parameters: [
                Parameter(name: "type", kind: .text, meaning: "Board, Game.Board, *Controller."), program, pid, core,
            ],
            arguments: { (given) throws(ToolServer.Refusal) in
                ["leaks", "--why=\(try given.text("type") ?? "")"] + (try given.target())
            }),
        ProfilerTool(
            name: "tasks", summary: "Every Swift task that has not ended: what it waits for, and where.",
            parameters: [
                Parameter(
                    name: "task", kind: .text, meaning: "Why this one does not go on: its id or its name.",
                    isNeeded: false), program, pid, core,
            ],
            arguments: { (given) throws(ToolServer.Refusal) in
                ["tasks"] + (try given.text("task").map { ["--why=\($0)"] } ?? []) + (try given.target())
            }),
        ProfilerTool(
            name: "diff", summary: "Compare two kept traces: leaks, memory, time and allocations.",
            parameters: [
                Parameter(name: "before", kind: .text, meaning: "The earlier trace."),
                Parameter(name: "after", kind: .text, meaning: "The later trace."),
            ],
            arguments: { (given) throws(ToolServer.Refusal) in
                ["diff", try given.path("before") ?? "", try given.path("after") ?? ""]
            }),
    ]
}
