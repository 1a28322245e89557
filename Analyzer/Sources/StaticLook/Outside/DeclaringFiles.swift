import BuildIndex
import Foundation

/// Finds the files of other modules that declare what a module's files use, the nearest first.
struct DeclaringFiles {
    /// Bytes of other modules' sources that are read for the smallest module.
    private static let leastRoom = 512 << 10

    let index: BuildIndex
    private(set) var files: [BuildIndex.DeclaringFile] = []
    /// Files of those modules that have changed since the build: what they declare is not known.
    private(set) var stale: Set<String> = []

    /// - Parameters:
    ///   - usrs: what the module's files use.
    ///   - imports: modules that they import.
    ///   - own: files that are looked at themselves.
    ///   - size: their bytes: no more than as many are read beside them, or half a megabyte.
    init(of usrs: Set<String>, imports: Set<String>, own: Set<String>, size: Int, index: BuildIndex) {
        self.index = index
        var modules = imports
        var wanted = usrs
        var seen = own
        var room = max(Self.leastRoom, size)
        var isGrowing = true
        while isGrowing {
            isGrowing = false
            var next: Set<String> = []
            for file in index.files(ofModules: modules) where !seen.contains(file.path) {
                if file.isStale {
                    stale.insert(file.path)
                    continue
                }
                guard !wanted.isDisjoint(with: file.declared) || !wanted.isDisjoint(with: file.extended) else {
                    continue
                }
                let size = Self.size(of: file.path)
                guard size < .max else { continue }
                guard size <= room else { return }
                seen.insert(file.path)
                room -= size
                files.append(file)
                modules.formUnion(file.imports)
                // What it declares may be extended in other files.
                next.formUnion(file.used + file.declared)
                isGrowing = true
            }
            wanted.formUnion(next)
        }
    }

    private static func size(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : .max
    }
}
