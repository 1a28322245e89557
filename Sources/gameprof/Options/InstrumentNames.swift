import ArgumentParser
import GameprofBasics

/// `allocations,leaks`: instruments as the command line names them.
enum InstrumentNames {
    static func read(_ text: String) throws -> [Instrument] {
        try text.split(separator: ",").map { name in
            guard let instrument = Instrument(rawValue: String(name)) else {
                let hint = NearestName.hint(String(name), among: Instrument.allCases.map(\.rawValue))
                throw ValidationError("Unknown instrument “\(name)”\(hint.isEmpty ? ";" : hint) available are \(all).")
            }
            return instrument
        }
    }

    static var all: String { Instrument.allCases.map(\.rawValue).joined(separator: ", ") }
}
