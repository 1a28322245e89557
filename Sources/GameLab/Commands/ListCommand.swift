import ArgumentParser
import Foundation

struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Explain each fault in a line.")

    func run() {
        for fault in FaultRegistry.all {
            let name = fault.name.padding(toLength: FaultRegistry.longestNameCount, withPad: " ", startingAt: 0)
            print("\(name)  \(fault.summary)")
        }
    }
}
