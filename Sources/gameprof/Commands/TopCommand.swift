import ArgumentParser
import Foundation
import GameprofAnalysis
import GameprofBasics
import GameprofReport

/// A terminal view of a running process, refreshed each second.
struct TopCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "top",
        abstract: "Watch a running process: functions, threads, types of the heap and tasks, refreshed each second.",
        usage: "gameprof top [options] PID",
        discussion: """
            Functions and threads are sampled from outside, as gameprof time --pid does. The heap and the tasks are \
            looked at now and then, for which the process is stopped for some milliseconds; the heading says for how \
            long. Where standard output is no terminal, lines are printed instead of a screen.
            """)

    @OptionGroup(title: HelpTitle.target) var process: WatchedProcess

    @Flag(
        name: .long,
        help: ArgumentHelp("Print lines instead of a screen, also on a terminal.", visibility: .hidden))
    var batch = false

    @Flag(name: .customLong("no-color"), help: "Print without colour.")
    var noColor = false

    @OptionGroup(title: HelpTitle.analysis) var symbols: SymbolOptions

    func run() throws {
        let style = TextStyle.forOutput(descriptor: STDOUT_FILENO, allowColour: !noColor)
        let terminal = batch ? nil : TopTerminal()
        let session = TopSession(
            TopLooks(of: process.pid, search: symbols.search), style, terminal, seconds: process.seconds)
        try session.run()
    }
}
