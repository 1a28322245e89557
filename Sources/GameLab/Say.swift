import Foundation

extension Fault {
    /// Prints a line about the fault and sees it out of the door: the program may crash at any moment.
    static func say(_ text: String) {
        print("\(name): \(text)")
        fflush(nil)
    }
}
