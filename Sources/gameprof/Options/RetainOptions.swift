import ArgumentParser
import GameprofBasics

/// Whose reference counts are followed.
struct RetainOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Record every retain and release of the objects of these classes (Board,Card).", valueName: "types"))
    var retains: String?

    func validate() throws {
        if let retains, retains.isEmpty || retains.contains(where: { ";|=".contains($0) }) {
            throw ValidationError("--retains takes names of classes, separated by commas.")
        }
    }

    /// Of the recorder: names of classes, separated by a bar.
    static let variable = "GAMEPROF_HISTORY"

    /// Variables for the recorder.
    var environment: [String: String] {
        retains.map { [Self.variable: TypeName.list($0[...]).joined(separator: "|")] } ?? [:]
    }
}
