import ArgumentParser

struct FaultCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fault", abstract: "Commit faults, one after the other.",
        discussion: "`gamelab list` explains them. A zombie may crash this program: nothing guards against it.")

    @Argument(help: ArgumentHelp("The faults to commit.", valueName: "name"))
    var names: [String]

    @Option(help: "How often the button is pressed that commits each fault (default: the fault's own number).")
    var presses: Int?

    @Flag(help: "Do the same without the mistake.")
    var cured = false

    func validate() throws {
        for fault in try faults() {
            guard let presses, !(1...fault.pressLimit).contains(presses) else { continue }
            throw ValidationError("\(fault.name) takes 1 to \(fault.pressLimit) presses, not \(presses).")
        }
    }

    func run() throws {
        for fault in try faults() {
            let presses = presses ?? fault.defaultPresses
            if cured { fault.commitCured(presses: presses) } else { fault.commit(presses: presses) }
        }
    }

    private func faults() throws -> [any Fault.Type] {
        try names.map { name in
            guard let fault = FaultRegistry.fault(named: name) else {
                throw ValidationError("There is no fault '\(name)'; there are \(FaultRegistry.nameList).")
            }
            return fault
        }
    }
}
