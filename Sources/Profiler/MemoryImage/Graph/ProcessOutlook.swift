import Foundation
import GameprofBasics

/// What a look at a running process will give, found without stopping it.
package struct ProcessOutlook {
    /// Measured: the kernel copies a gibibyte in about 0.7 s.
    private static let bytesPerSecond = 1.5e9

    /// Subjects and sentences.
    package private(set) var facts: [(subject: String, sentence: String)] = []
    /// `heap` and `leaks` will have an answer.
    package private(set) var isPossible = true

    /// - Throws: there is no such process.
    package init(pid: pid_t) throws(MemoryImageError) {
        let status = ProcessFacts.status(of: pid)
        guard pid > 0, !status.isEmpty else { throw StoppedThreads.gone(pid) }
        let executable = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/exe")
        facts.append(
            ("process", "\(pid), \(executable ?? status["Name"] ?? "?"), threads: \(status["Threads"] ?? "?")"))
        // Reading this file needs the right to trace.
        let descriptor = open("/proc/\(pid)/mem", O_RDONLY | O_CLOEXEC)
        let code = errno
        if descriptor >= 0 { close(descriptor) }
        guard descriptor >= 0, status["TracerPid"] ?? "0" == "0" else {
            deny("ptrace", StoppedThreads.refusal(pid, code))
            return
        }
        facts.append(("ptrace", "permitted"))
        do throws(MemoryImageError) { facts += try StopOutlook.facts(of: pid) } catch { deny("filter", error) }
        let plan = CopyPlan(pid: pid, root: "/proc/\(pid)/root")
        let image = MemoryImage(mappings: plan.mappings, threads: [], machine: 0)
        let copies = plan.copies.filter(\.isFile).map { MemoryCopy(of: pid, $0) }
        MemoryCopy.read(copies)
        for copy in copies { image.add(copy.bytes, at: copy.start, owner: copy) }
        check("malloc", "glibc's, its blocks can be told apart") { () throws(MemoryImageError) in
            try MallocWalk.check(image)
        }
        let runtime = image.mappings.first { $0.file.contains("libswiftCore") }?.file
        facts.append(
            (
                "Swift runtime",
                runtime ?? "no library: linked into the program, or there is none and memory has no types"
            ))
        let resident = plan.resident
        let pause = NumberFormat.seconds(Double(resident) / Self.bytesPerSecond)
        check("memory", "\(NumberFormat.bytes(resident)) to copy, while the process stands still for about \(pause)") {
            () throws(MemoryImageError) in try plan.checkRoom()
        }
    }

    private mutating func check(
        _ subject: String, _ sentence: String, _ test: () throws(MemoryImageError) -> Void
    ) {
        do throws(MemoryImageError) {
            try test()
            facts.append((subject, sentence))
        } catch { deny(subject, error) }
    }

    private mutating func deny(_ subject: String, _ error: MemoryImageError) {
        facts.append((subject, error.sentence))
        isPossible = false
    }
}
