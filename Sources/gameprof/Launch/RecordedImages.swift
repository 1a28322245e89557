import Foundation
import GameprofBasics
import GameprofTrace

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
            guard let text = RegularFile.contents(path + ".error") else { return nil }
            let sentence = String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            return sentence.isEmpty
                ? "The trace file cannot be written: the disk is full, or the file size is limited (ulimit -f)."
                : sentence
        }

        /// The program; nil: the trace does not say. It stands in the first chunk.
        private var program: ProgramRecord? {
            guard let reader = try? TraceReader(path: path), reader.chunkCount > 0 else { return nil }
            let found = try? reader.withChunk(0) { chunk -> ProgramRecord? in
                var cursor = RecordCursor(chunk)
                while let bytes = cursor.next() {
                    if case .program(let program) = reader.record(bytes) { return program }
                }
                return nil
            }
            return found ?? nil
        }

        /// Whether it is a program of the system or of a toolchain, and as such probably started another one.
        var isLauncher: Bool {
            guard let program else { return false }
            return Following.launcherFolders.contains { program.executable.contains($0) }
        }

        /// Whether it is the driver of a Swift toolchain or one of its tools.
        var isSwiftTool: Bool {
            guard isLauncher, let program else { return false }
            return AtomicFile.name(of: program.executable).hasPrefix("swift")
        }

        /// Whether SwiftPM compiled it and runs it for itself: a manifest (Package.swift) or a plugin.
        var isOfPackageManager: Bool {
            guard let program else { return false }
            return program.executable.contains("/plugins/cache/")
                || program.executable.hasSuffix("-manifest") && program.arguments.contains("-fileno")
        }
    }

    /// By process, the program that was started first; within a process in the order of time.
    let images: [Image]

    /// Lists what stands beside `path`. `root`: the process that the tool started.
    init(path: String, root: pid_t) {
        let folder = PrivateFolder.folder(of: path)
        let prefix = AtomicFile.name(of: path) + "."
        let listed = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        // Of a recording that could not begin there is nothing but the reason.
        let names = Set(listed.map { $0.hasSuffix(".error") ? String($0.dropLast(".error".count)) : $0 })
        let isBegun = access(path, F_OK) == 0 || access(path + ".error", F_OK) == 0
        var found = isBegun ? [Image(path: path, process: root, number: 0)] : []
        for name in names where name.hasPrefix(prefix) {
            let parts = name.dropFirst(prefix.count).split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 2, let process = pid_t(parts[0]), let number = Int(parts[1]) else { continue }
            found.append(Image(path: "\(folder)/\(name)", process: process, number: number))
        }
        func rank(_ image: Image) -> (Int, pid_t, Int) { (image.process == root ? 0 : 1, image.process, image.number) }
        images = found.sorted { rank($0) < rank($1) }
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
