import ArgumentParser
import Foundation
import GameprofBasics
import HistoryModel
import HistoryStore

struct HistoryTool: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gameprof history",
        abstract: "Keep the results of many runs in one SQLite file and see what changed.",
        discussion: """
            A history has a row for each run: commit, branch, machine, toolchain and scenario, its findings by signature \
            and its figures. Several processes may add to it at once. gameprof check --history F compares a check with it.

            Exit codes: 0 nothing found, 1 something is worse, 2 wrong usage or unreadable input, 4 the tool failed.
            """,
        subcommands: [AddCommand.self, ShowCommand.self, PageCommand.self, CompareCommand.self, CheckCommand.self])
}

struct HistoryFileOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("The SQLite file of the history.", valueName: "file"))
    var history = "gameprof-history.sqlite"

    func open(creates: Bool = false) throws -> HistoryFile { try HistoryFile(path: history, creates: creates) }
}

/// Which part of a history.
struct SelectionOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("Of this branch (default: the one with the most runs).", valueName: "name"))
    var branch: String?

    @Option(name: .long, help: ArgumentHelp("Of this scenario only.", valueName: "name"))
    var scenario: String?

    /// By scenario.
    func read(_ file: HistoryFile) throws -> [ScenarioHistory] {
        guard let branch = try branch ?? file.mainBranch() else { return [] }
        let all = try file.series()
        let chosen = all.filter { $0.branch == branch && (scenario == nil || $0.scenario == scenario) }
        guard !chosen.isEmpty else {
            let what = scenario.map { "scenario \(PlainText.clean($0)) on the branch" } ?? "branch"
            let known = Set(all.map(\.branch)).sorted().prefix(20).map(PlainText.clean).joined(separator: ", ")
            throw ToolFailure(
                .wrongUsage, "The history has no \(what) \(PlainText.clean(branch)); its branches are \(known).")
        }
        return try chosen.map {
            ScenarioHistory(
                branch: $0.branch, scenario: $0.scenario,
                timeline: try file.timeline(branch: $0.branch, scenario: $0.scenario))
        }
    }
}

/// Where a run comes from: options, else git, else the variables of the build service.
struct OriginOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("Commit (default: HEAD of git).", valueName: "hash"))
    var commit: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Date of the commit, seconds since 1970 (default: git's).", valueName: "seconds"))
    var date: Int64?

    @Option(name: .long, help: ArgumentHelp("Branch (default: the one that git has checked out).", valueName: "name"))
    var branch: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Class of machines; times are compared within it (default: processor and cores).", valueName: "name"))
    var machine: String?

    @Option(name: .long, help: ArgumentHelp("Toolchain (default: of swiftc --version).", valueName: "name"))
    var toolchain: String?

    /// `isStored`: the run is added to the history and has to have a commit and a branch; one that is compared may lack them.
    func origin(isStored: Bool = true) throws -> Run.Origin {
        let environment = ProcessInfo.processInfo.environment
        func variable(_ names: String...) -> String? {
            names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        }
        let commit =
            commit ?? Self.answer("git", "rev-parse", "--verify", "HEAD") ?? variable("GITHUB_SHA", "CI_COMMIT_SHA")
            ?? ""
        guard !commit.isEmpty || !isStored else {
            throw ToolFailure(.wrongUsage, "There is no git repository here: name the commit, --commit HASH.")
        }
        let checkedOut = Self.answer("git", "symbolic-ref", "--short", "--quiet", "HEAD")
        let branch =
            branch ?? checkedOut
            ?? variable(
                "GITHUB_HEAD_REF", "GITHUB_REF_NAME", "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "CI_COMMIT_BRANCH") ?? ""
        guard !branch.isEmpty || !isStored else {
            throw ToolFailure(.wrongUsage, "git has no branch checked out: name it, --branch NAME.")
        }
        let committed =
            date ?? Self.answer("git", "show", "--no-patch", "--format=%ct", commit, "--").flatMap { Int64($0) }
            ?? Int64(Date().timeIntervalSince1970)
        return Run.Origin(
            commit: commit, committed: committed, branch: branch,
            machine: machine ?? variable("GAMEPROF_HISTORY_MACHINE") ?? Self.machine,
            toolchain: toolchain ?? variable("GAMEPROF_HISTORY_TOOLCHAIN") ?? Self.toolchain)
    }

    /// First line of what a program prints; nil if it fails or is missing.
    private static func answer(_ words: String...) -> String? {
        guard let result = try? HelperProcess.run("/usr/bin/env", words, hidesErrors: true), result.code == 0,
            let line = String(decoding: result.output.prefix(4_096), as: UTF8.self).split(separator: "\n").first
        else { return nil }
        return String(line)
    }

    /// "x86_64, Intel(R) Xeon(R) …, 4 cores"
    private static var machine: String {
        var name = utsname()
        uname(&name)
        let kind = withUnsafeBytes(of: &name.machine) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let info = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let model = info.split(separator: "\n").first { $0.hasPrefix("model name") }?
            .split(separator: ":").last?.trimmingCharacters(in: .whitespaces)
        let cores = NumberFormat.count(ProcessInfo.processInfo.activeProcessorCount, "core")
        return [kind, model, cores].compactMap { $0 }.joined(separator: ", ")
    }

    /// "Swift 6.3.1"
    private static var toolchain: String {
        guard let line = answer("swiftc", "--version"), let place = line.range(of: "Swift version ") else {
            return "unknown"
        }
        return "Swift " + line[place.upperBound...].prefix { !$0.isWhitespace }
    }
}
