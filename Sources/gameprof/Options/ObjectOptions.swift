import ArgumentParser
import GameprofBasics

/// Types whose objects are listed.
struct ObjectOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "List the objects of these types, each with address, lifetime, bytes and maker; 10,000 at most, those that lived longest.",
            valueName: "types"))
    var objects: String?

    func validate(with sample: BlockSampling?) throws {
        guard let objects else { return }
        if objects.isEmpty || objects.contains(where: { ";|=".contains($0) }) {
            throw ValidationError("--objects takes names of types, separated by commas.")
        }
        if sample.map({ $0.mean > 1 }) ?? false {
            throw ValidationError("--objects lists every object of a type: it cannot be combined with --sample.")
        }
    }

    /// Variables for the recorder.
    var environment: [String: String] {
        objects.map { ["GAMEPROF_OBJECTS": TypeName.list($0[...]).joined(separator: "|")] } ?? [:]
    }
}
