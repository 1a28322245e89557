import Foundation

/// The traces of a recording: one for each program that each recorded process was. A process becomes another program by
/// exec; the recorder then begins a new trace `PATH.PID.N` beside the first one, `PATH`.
struct RecordedImages {
    /// One program of one process.
    struct Image {
        var path: String
        var process: pid_t
        /// 0 for the first program of the recording, 1 for the first that a process became or was started as.
        var number: Int

        /// Why nothing was recorded; nil: something was.
        var failure: String? {
            let text = try? String(contentsOfFile: path + ".error", encoding: .utf8)
            return text?.trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    /// By process, the program that was started first; within a process in the order of time.
    let images: [Image]

    /// Lists what stands beside `path`. `root`: the process that the tool started.
    init(path: String, root: pid_t) {
        let folder = (path as NSString).deletingLastPathComponent
        let prefix = (path as NSString).lastPathComponent + "."
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
        var found: [Image] = access(path, F_OK) == 0 ? [Image(path: path, process: root, number: 0)] : []
        for name in names where name.hasPrefix(prefix) {
            let parts = name.dropFirst(prefix.count).split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 2, let process = pid_t(parts[0]), let number = Int(parts[1]) else { continue }
            found.append(Image(path: "\(folder)/\(name)", process: process, number: number))
        }
        images = found.sorted { left, right in
            (left.process == root ? 0 : 1, left.process, left.number)
                < (right.process == root ? 0 : 1, right.process, right.number)
        }
    }

    /// The last program of each process, that of the first process in front.
    var last: [Image] {
        images.indices.filter { $0 + 1 == images.count || images[$0].process != images[$0 + 1].process }
            .map { images[$0] }
    }

    /// Removes the traces and what stands beside them.
    func remove() {
        for image in images {
            for suffix in ["", ".spool", ".error"] { unlink(image.path + suffix) }
        }
    }
}
