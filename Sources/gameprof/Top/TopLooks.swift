import Foundation
import GameprofAnalysis
import GameprofBasics
import GameprofHeap
import GameprofSampling
import GameprofTrace

/// Looks at a process from outside, again and again: samples of its threads, its memory, what the kernel counts.
final class TopLooks {
    /// A look at the heap comes at most so often, and takes no more than this share of the time.
    private static let (leastSeconds, heapShare) = (5.0, 0.1)
    private static let samplesPerSecond: UInt64 = 499

    private let pid: Int32
    private let search: SymbolSearch
    private let start = Date()
    private var symbolicator: Symbolicator?
    private var first: TopHeap?
    private var last: (heap: TopHeap, recording: Recording)?
    private var problem: String?
    private var nextHeap = 0.0

    init(of pid: Int32, search: SymbolSearch) { (self.pid, self.search) = (pid, search) }

    var seconds: Double { Date().timeIntervalSince(start) }

    /// Samples for some seconds, and looks at the heap if it is time.
    /// - Parameters:
    ///   - isOver: asked every few milliseconds; true ends the interval.
    ///   - wantsEnd: somebody waits for the end: the process is not stopped once more.
    /// - Returns: nil: the process has ended.
    func moment(seconds: Double, isOver: () -> Bool, wantsEnd: () -> Bool) throws -> TopMoment? {
        let trace = try PrivateTrace()
        defer { trace.remove() }
        let options = ProcessSampling.Options(
            pid: pid, period: 1_000_000_000 / Self.samplesPerSecond, duration: seconds)
        var search = search
        do {
            search.places = try ProcessSampling.record(options, to: trace.path, isOver: isOver)
        } catch let error as MemoryImageError {
            if symbolicator != nil, !ProcessFacts.isRunning(pid) { return nil }
            throw ToolError(error.isInput ? .wrongUsage : .toolFailed, error.sentence)
        } catch let error as TraceError {
            throw ToolError(.toolFailed, error.description)
        }
        let recording = try RecordingReader.read(path: trace.path, graphs: .rootsAlone)
        let names = names(for: recording, search)
        var moment = TopBuilder.moment(
            recording, seconds: Double(recording.wallNanoseconds) / 1e9, symbolicator: names)
        addFacts(to: &moment)
        guard ProcessFacts.isRunning(pid) else { return nil }
        if self.seconds >= nextHeap, !wantsEnd() { lookAtHeap(search) }
        (moment.heap, moment.heapProblem) = (last?.heap, problem)
        return moment
    }

    /// What holds the objects of a type, as of the last look.
    func ways(to type: String) -> [HeldBy] {
        guard let last else { return [] }
        return TopBuilder.ways(
            to: type, in: last.recording, symbolicator: Symbolicator(recording: last.recording, search: search))
    }

    /// The symbol tables alone name functions: lines are not shown, and reading them would take longer than the interval.
    private func names(for recording: Recording, _ search: SymbolSearch) -> Symbolicator {
        if let symbolicator {
            symbolicator.follow(recording)
            return symbolicator
        }
        let made = Symbolicator(recording: recording, symbolizer: nil, search: search)
        symbolicator = made
        return made
    }

    private func addFacts(to moment: inout TopMoment) {
        moment.residentBytes = ProcessFacts.residentBytes(of: pid) ?? 0
        moment.threadCount = StoppedThreads.threads(of: pid).count
        moment.descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd"))?.count
    }

    private func lookAtHeap(_ search: SymbolSearch) {
        let begin = seconds
        var questions = ImageQuestions(instruments: [.heap, .leaks])
        questions.seeksTasks = true
        questions.frames = { ImageStacks($0).frames }
        do {
            let recording = try ImageRecording.read(process: pid, questions)
            let names = Symbolicator(recording: recording, symbolizer: nil, search: search)
            if let heap = TopBuilder.heap(recording, since: first, at: begin, symbolicator: names) {
                first = first ?? heap
                last = (heap, recording)
            }
            problem = nil
        } catch {
            problem = error.sentence
        }
        let took = seconds - begin
        nextHeap = seconds + max(Self.leastSeconds, took / Self.heapShare)
    }
}
