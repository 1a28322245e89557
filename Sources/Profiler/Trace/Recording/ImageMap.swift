/// Which image stands at which address of the recorded process.
public struct ImageMap: Sendable {
    /// A loaded executable or library.
    public struct Image: Sendable {
        public var id: ImageID
        public var record: ImageRecord

        /// File name of the image's path.
        public var name: String { String(record.path.split(separator: "/").last ?? "?") }
    }

    /// In the order of the trace.
    public private(set) var images: [Image] = []
    private var byStart: [Image] = []

    public init() {}

    /// Adds an image. An unloaded image stays: stacks recorded before may name it.
    public mutating func add(_ record: ImageRecord) {
        guard record.isLoaded, record.end > record.start else { return }
        guard !images.contains(where: { $0.record == record }) else { return }
        let image = Image(id: ImageID(UInt32(images.count + 1)), record: record)
        images.append(image)
        byStart.insert(image, at: upperBound(record.start))
    }

    /// The image that holds an address; the one loaded last where two did at different times. O(log images).
    public func image(at address: UInt64) -> Image? {
        var index = upperBound(address)
        while index > 0 {
            index -= 1
            if address < byStart[index].record.end { return byStart[index] }
            if address - byStart[index].record.start > 1 << 36 { break }
        }
        return nil
    }

    private func upperBound(_ address: UInt64) -> Int {
        var low = 0
        var high = byStart.count
        while low < high {
            let middle = (low + high) / 2
            if byStart[middle].record.start <= address { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
