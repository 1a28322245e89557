import Foundation

/// Detects whether a file was written since: its size and time.
struct SourceStamp: Codable, Hashable, Sendable {
    var path: String
    var text: String

    init(path: String) {
        self.path = path
        var status = stat()
        text =
            stat(path, &status) == 0
            ? "\(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)" : ""
    }

    var isCurrent: Bool { self == SourceStamp(path: path) }
}
