import Foundation
import GameprofBasics

/// What a look at a running process will give, found without stopping it.
package struct ProcessOutlook {
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
        let code = ProcessFacts.memoryRefusal(of: pid)
        guard code == nil, status["TracerPid"] ?? "0" == "0" else {
            deny("ptrace", StoppedThreads.refusal(pid, code ?? 0))
            return
        }
        facts.append(("ptrace", "permitted"))
        do throws(MemoryImageError) { facts += try StopOutlook.facts(of: pid) } catch { deny("filter", error) }
        let plan: CopyPlan
        do throws(MemoryImageError) {
            plan = CopyPlan(pid: pid, table: try PageTable(of: pid), facts: MappingFacts(of: pid))
        } catch {
            deny("memory", error)
            return
        }
        let image = MemoryImage(mappings: plan.mappings, threads: [], machine: 0)
        let copies = plan.copies.compactMap(\.withMallocState).map { MemoryCopy($0) }
        MemoryCopy.read(copies, of: pid, until: .now() + 1 + plan.seconds)
        for copy in copies { copy.add(to: image) }
        do throws(MemoryImageError) { facts.append(("malloc", try MallocWalk.outlook(image))) } catch {
            deny("malloc", error)
        }
        let runtime = image.mappings.first { $0.file.contains("libswiftCore") }?.file
        facts.append(
            (
                "Swift runtime",
                runtime ?? "no library: linked into the program, or there is none and memory has no types"
            ))
        let pause = NumberFormat.seconds(plan.seconds)
        check("memory", "\(NumberFormat.bytes(plan.bytes)) to copy, while the process is paused for about \(pause)") {
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

extension CopyPlan.Copy {
    /// The part in which glibc's malloc may have the state of an arena: the C library's variables, or the first page of a heap of a
    /// thread's arena, which begins at a multiple of 64 MiB (malloc/arena.c, HEAP_MAX_SIZE). Nil: none.
    fileprivate var withMallocState: CopyPlan.Copy? {
        if mapping.isFile { return self }
        guard mapping.start % (64 << 20) == 0, mapping.isPrivate else { return nil }
        var part = self
        part.mapping.end = min(mapping.end, mapping.start + 4096)
        part.pages = pages.map { $0.clamped(to: part.mapping.start..<part.mapping.end) }.filter { !$0.isEmpty }
        return part
    }
}
