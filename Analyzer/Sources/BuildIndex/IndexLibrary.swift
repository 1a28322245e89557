import CIndexStore
import Foundation

/// The toolchain's libIndexStore. Everything that calls into C stands here.
public final class IndexLibrary {
    /// What the process that reads answers, and how it ended.
    struct Answer {
        var bytes: [UInt8]
        /// It wrote nothing for too long.
        var isStuck: Bool
    }

    private let library: OpaquePointer
    /// Version of the format that it reads.
    public let format: Int

    /// Nil when there is no such library, or it lacks a function.
    public init?(path: String) {
        guard let library = gp_index_load(path) else { return nil }
        self.library = library
        format = Int(gp_index_format(library))
    }

    deinit { gp_index_unload(library) }

    /// Beside the `swift` of PATH, or beside the Swift runtime that this program runs on.
    public static func find() -> IndexLibrary? {
        let environment = ProcessInfo.processInfo.environment
        var candidates = (environment["PATH"] ?? "").split(separator: ":").map { folder in
            URL(filePath: "\(folder)/swiftc").resolvingSymlinksInPath().deletingLastPathComponent()
                .deletingLastPathComponent().appending(path: "lib/libIndexStore.so").path
        }
        if let runtime = gp_index_runtime().map({ String(cString: $0) }) {
            // usr/lib/swift/linux/libswiftCore.so
            let folder = (1...3).reduce(URL(filePath: runtime)) { url, _ in url.deletingLastPathComponent() }
            candidates.append(folder.appending(path: "libIndexStore.so").path)
        }
        return candidates.first { FileManager.default.isReadableFile(atPath: $0) }.flatMap { IndexLibrary(path: $0) }
    }

    /// Lets a process of its own answer the requests. Takes about as long as reading the files; a damaged file can make
    /// the answer end early.
    /// - Parameter patience: seconds without a byte after which the process is ended.
    func ask(_ requests: [(question: gp_index_question, name: String)], of store: String, patience: Double) -> Answer? {
        let names = requests.map { strdup($0.name) }
        defer { for name in names { free(name) } }
        let questions = zip(requests, names).map { request, name in
            gp_index_request(question: request.question.rawValue, name: name)
        }
        var descriptor: Int32 = -1
        var process: pid_t = 0
        guard gp_index_start(library, store, questions, questions.count, &descriptor, &process) == 0 else { return nil }
        defer {
            close(descriptor)
            gp_index_stop(process)
        }
        var answer = Answer(bytes: [], isStuck: false)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&waiting, 1, Int32(patience * 1000))
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else {
                answer.isStuck = true
                return answer
            }
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return answer }
            answer.bytes += buffer[..<count]
        }
    }
}
