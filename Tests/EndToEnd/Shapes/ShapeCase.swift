/// One case of a program of the folder `Programs`, and what `gameprof leaks` must say about it.
struct ShapeCase: Sendable, CustomStringConvertible {
    /// A file of `Programs`: the module that the case's types belong to.
    enum Program: String, Sendable, CaseIterable {
        case fields = "Fields"
        case enums = "Enums"
        case existentials = "Existentials"
        case collections = "Collections"
        case closures = "Closures"
        case concurrency = "Concurrency"
        case scheduled = "Scheduled"
        case rawMemory = "RawMemory"
        case weak = "Weak"
        case alive = "Alive"
        case foundationTypes = "FoundationTypes"
        case modern = "Modern"
        case encoded = "Encoded"
    }

    enum Expectation: Sendable {
        /// A cycle through exactly these references: "Owner.slots[…].part → Part", without the program's module.
        case cycle(Set<String>)
        /// An object that was retained once too often, or that nothing holds: its type.
        case lostObject(String)
        /// Memory without a type, of so many bytes.
        case lostMemory(bytes: Int)
        /// Some error whose objects include the type.
        case errorNaming(String)
        /// Nothing is claimed to be lost.
        case silence
    }

    var program: Program
    var argument: String
    var expectation: Expectation
    /// How often the one finding occurs.
    var count: Int

    init(_ program: Program, _ argument: String, _ expectation: Expectation, count: Int = 1) {
        self.program = program
        self.argument = argument
        self.expectation = expectation
        self.count = count
    }

    var description: String { "\(program.rawValue) \(argument)" }
}
