/// What a report calls an object that has no class of its own; it stands in the place of the type's name.
package enum ObjectNoun: String, Sendable {
    case object
    /// The box of a variable that a closure captures.
    case capturedVariable = "captured variable"
    /// Which of the two cannot be determined.
    case contextOrVariable = "closure context or captured variable"
    /// The box of an enum's payload or of an existential's value.
    case boxedValue = "boxed value"
    case closureContext = "closure context"
    case task, job, error
    /// A block that is no Swift object.
    case memory
    /// A file, socket or pipe that is open.
    case descriptor
    /// Memory that the program mapped for itself.
    case mapping
    case thread
}
