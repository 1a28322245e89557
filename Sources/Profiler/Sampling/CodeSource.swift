/// What unwinding reads of another process, of one that runs or of a core file: its code and its memory.
protocol CodeSource: AnyObject {
    /// Changes with the list of images: what was learnt of addresses holds no more.
    var generation: Int { get }
    var executable: LoadedImage? { get }

    /// The image with code at an address.
    /// - Parameter now: nanoseconds of the clock; what is not known is looked up at most now and then.
    func image(at address: UInt, now: UInt64) -> LoadedImage?
    /// The image whose file has a name that begins so.
    func image(called name: String) -> LoadedImage?
    /// - Returns: how many bytes there were.
    func read(at address: UInt64, into room: UnsafeMutableRawBufferPointer) -> Int
}
