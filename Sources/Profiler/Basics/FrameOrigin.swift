/// Whose code a frame is.
public enum FrameOrigin: String, Sendable, Codable {
    /// The user's own code.
    case user
    /// Foundation, libdispatch, libc, other packages: code that the user calls but did not write.
    case library
    /// The Swift runtime and standard library.
    case runtime
}
