import ArgumentParser
import GameprofBasics

/// Which instruments a recording has.
struct InstrumentOptions: ParsableArguments {
    @Option(
        name: .customLong("instruments"),
        help: ArgumentHelp(
            "What to record: \(InstrumentNames.all); zombies neither with allocations nor with leaks or heap.",
            valueName: "a,b"))
    var names = "allocations,leaks"

    func read() throws -> [Instrument] { try InstrumentNames.read(names) }
}
