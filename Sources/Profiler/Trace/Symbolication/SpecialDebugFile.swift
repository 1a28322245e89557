import Foundation
import GameprofBasics

/// A device or FIFO that an image names as the file with its debug information (`.gnu_debuglink`). `llvm-symbolizer` opens whatever
/// is named there, and would read `/dev/zero` until the machine has no memory left.
package enum SpecialDebugFile {
    /// Whether there is one in a place where `llvm-symbolizer` looks.
    package static func isNamed(by image: String) -> Bool {
        guard let name = (try? ELFFile(path: image))?.debugLink?.name else { return false }
        let folders = Set([image, URL(filePath: image).resolvingSymlinksInPath().path]).map {
            ($0 as NSString).deletingLastPathComponent
        }
        let places = folders.flatMap {
            ["\($0)/\(name)", "\($0)/.debug/\(name)", "/usr/lib/debug/\($0)/\(name)"]
        }
        return places.contains { place in
            var facts = stat()
            guard stat(place, &facts) == 0 else { return false }
            return ![S_IFREG, S_IFDIR].contains(facts.st_mode & S_IFMT)
        }
    }
}
