import Foundation
import GameprofBasics
import GameprofCheck

/// The folder from which code hosts count the paths of files.
enum SourceRoot {
    /// That of the repository around the working directory; without one, the working directory.
    static func find() -> String {
        let start = FileManager.default.currentDirectoryPath
        var folder = start
        while access("\(folder)/.git", F_OK) != 0 {
            guard folder != "/" else { return start }
            folder = PrivateFolder.folder(of: folder)
        }
        return folder
    }
}

extension Diagnosis {
    /// With the path of its file counted from `root` on, where it is below.
    func relative(to root: String) -> Diagnosis {
        let working = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
        let path = URL(fileURLWithPath: place.file, relativeTo: working).standardizedFileURL.path
        guard path.hasPrefix(root == "/" ? root : root + "/") else { return self }
        var result = self
        result.place.file = String(path.dropFirst(root == "/" ? 1 : root.count + 1))
        return result
    }
}
