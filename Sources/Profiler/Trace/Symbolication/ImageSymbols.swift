import GameprofBasics

/// What is read of the files of one image, wherever it lies in a process: its symbol tables, the names in them, and what was
/// looked up of them.
final class ImageSymbols {
    let files: SymbolFile
    lazy var symbols = files.symbols.map { ELFSymbols($0) }
    lazy var functions = files.own.map { ELFFunctions($0) }
    lazy var variables = files.symbols.map { ELFSymbols($0, of: .variables) }
    /// By linkage name.
    var names: [String: SymbolName] = [:]
    /// By address of the file; empty unless several processes share it.
    var located: [UInt64: SymbolImage.Located] = [:]
    /// The symbolizer gave no answer.
    var isUnread = false
    let isShared: Bool

    init(_ files: SymbolFile, isShared: Bool = false) { (self.files, self.isShared) = (files, isShared) }
}

/// The symbols of the images of several recordings of one run, each read once.
public final class SymbolCache {
    private struct Key: Hashable {
        var path: String
        var buildID: [UInt8]
    }

    private var images: [Key: ImageSymbols] = [:]
    private var packages: [String: PackageSources] = [:]

    public init() {}

    /// What is known of an image; `read` is called for one that is not. An image without a build id is never taken for
    /// another's.
    func symbols(of record: ImageRecord, path: String, read: () -> SymbolFile) -> ImageSymbols {
        guard !record.buildID.isEmpty else { return ImageSymbols(read()) }
        let key = Key(path: path, buildID: record.buildID)
        if let known = images[key] { return known }
        let made = ImageSymbols(read(), isShared: true)
        images[key] = made
        return made
    }

    /// The packages from which a program was built; read once for each executable.
    func packages(ofBuildOf executable: String) -> PackageSources {
        if let known = packages[executable] { return known }
        let made = PackageSources(ofBuildOf: executable)
        packages[executable] = made
        return made
    }
}
