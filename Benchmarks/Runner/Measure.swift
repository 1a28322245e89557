import Foundation

/// What one run of a command cost.
struct Run {
    /// The program's own figure ("seconds …" on its standard output), or the wall time when it prints none.
    var seconds: Double
    var wallSeconds: Double
    /// User and system time of the command and the children it waited for.
    var cpuSeconds: Double
    /// Largest resident set of the command or one of its children, bytes.
    var peakBytes: Int
    var status: Int32
    /// The program's own account of its memory ("resident …" on its standard output), bytes; 0 when it gives none.
    var residentBytes = 0

    /// The command could not be run.
    static let failed = Run(seconds: .nan, wallSeconds: .nan, cpuSeconds: .nan, peakBytes: 0, status: -1)
}

/// One way to run a program: `arguments[0]` is an absolute path.
struct Variant {
    var name: String
    var arguments: [String]
    var environment: [String: String] = [:]
    /// Whether an exit code other than 0 means that the work was not done. A program's code of its own does not.
    var mustSucceed = false
}

/// Runs a command to its end. Standard error goes to `/dev/null`.
func measure(_ variant: Variant) -> Run {
    var pipeEnds: [Int32] = [0, 0]
    guard pipe(&pipeEnds) == 0 else { return .failed }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, pipeEnds[1], 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addclose(&actions, pipeEnds[0])
    posix_spawn_file_actions_addclose(&actions, pipeEnds[1])
    let merged = ProcessInfo.processInfo.environment.merging(variant.environment) { $1 }
    var argv: [UnsafeMutablePointer<CChar>?] = variant.arguments.map { strdup($0) } + [nil]
    var envp: [UnsafeMutablePointer<CChar>?] = merged.map { strdup("\($0)=\($1)") } + [nil]
    var pid: pid_t = 0
    let start = DispatchTime.now().uptimeNanoseconds
    let error = posix_spawn(&pid, variant.arguments[0], &actions, nil, &argv, &envp)
    close(pipeEnds[1])
    guard error == 0 else {
        close(pipeEnds[0])
        return .failed
    }
    let output = FileHandle(fileDescriptor: pipeEnds[0], closeOnDealloc: true).readDataToEndOfFile()
    var status: Int32 = 0
    var usage = rusage()
    wait4(pid, &status, 0, &usage)
    let wall = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
    for word in argv + envp { free(word) }
    let words = String(decoding: output, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    func figure(_ name: String) -> Double? {
        words.firstIndex(of: Substring(name)).flatMap { $0 + 1 < words.count ? Double(words[$0 + 1]) : nil }
    }
    let own = figure("seconds")
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return Run(
        seconds: own ?? wall, wallSeconds: wall, cpuSeconds: seconds(usage.ru_utime) + seconds(usage.ru_stime),
        peakBytes: usage.ru_maxrss * 1024, status: status, residentBytes: Int(figure("resident") ?? 0))
}

/// Runs all variants `rounds` times, one after the other in each round, so that a slow minute of the machine hits all.
func interleave(_ variants: [Variant], rounds: Int) -> [[Run]] {
    var runs = [[Run]](repeating: [], count: variants.count)
    for round in 1...rounds {
        for (index, variant) in variants.enumerated() {
            progress("round \(round)/\(rounds): \(variant.name)")
            runs[index].append(measure(variant))
        }
    }
    progress("")
    return runs
}

func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return .nan }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/// One line on a terminal's standard error, overwritten by the next.
func progress(_ text: String) {
    guard isatty(2) == 1 else { return }
    FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8))
}
