import GameprofImageSymbols

/// Memory that an image lacks because it is a file's, unchanged: read from that file.
struct MappedFiles {
    private let image: MemoryImage

    init(_ image: MemoryImage) { self.image = image }

    /// - Parameters:
    ///   - root: where the process's files are.
    ///   - program: takes the place of the executable's file.
    func add(root: String = "", program: String? = nil) {
        let mappings = image.mappings.filter(\.isFile)
        var known: [String: FileBytes?] = [:]
        var missing: Set<String> = []
        let executable = mappings.first?.file
        for mapping in mappings where !isComplete(mapping) {
            let path = mapping.file == executable ? program ?? root + mapping.file : root + mapping.file
            let file = known[path] ?? open(path, mapping.file, mappings)
            known[path] = .some(file)
            guard let file else {
                if !mapping.isWritable { missing.insert(mapping.file) }
                continue
            }
            let bytes = file.range(mapping.offset, count: mapping.end - mapping.start)
            image.add(bytes, at: mapping.start, owner: file)
        }
        for path in missing.sorted() where ELFImages.isELF(path) {
            let remedy =
                path == executable ? "name the executable with --program" : "copy it from where the process ran"
            image.problems.append("\(path) is missing or has changed since it was mapped: \(remedy).")
        }
    }

    private func isComplete(_ mapping: MemoryImage.Mapping) -> Bool {
        image.has(mapping.start, count: mapping.end - mapping.start)
    }

    /// Nil: it is not there, or another than the one that was mapped.
    private func open(_ path: String, _ name: String, _ mappings: [MemoryImage.Mapping]) -> FileBytes? {
        guard let file = FileBytes(path: path), file.bytes.count > 0 else { return nil }
        guard let head = mappings.first(where: { $0.file == name && $0.offset == 0 }),
            let loaded = ELFImages.buildID(image, at: head.start), !loaded.isEmpty
        else { return file }
        let own = (try? ELFFile(path: path))?.buildID ?? []
        return own == loaded ? file : nil
    }
}
