import ArgumentParser
import Foundation
import Profiler
import TraceFile

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Say what this machine permits and what is missing.")

    func run() throws {
        print("gameprof      \(GameProf.toolVersion), trace version \(TraceHeader.currentVersion)")
        var isWhole = true
        do {
            print("recorder      \(try CaptureLibraryFile.find())")
        } catch {
            print("recorder      missing: \(error)")
            isWhole = false
        }
        if let symbolizer = SymbolizerLocator.find() {
            print("symbolizer    \(symbolizer)")
        } else {
            print(
                "symbolizer    none found: put the Swift toolchain on PATH, else lines and inlined functions are missing"
            )
        }
        let paranoid = (try? String(contentsOfFile: "/proc/sys/kernel/perf_event_paranoid", encoding: .utf8))?
            .trimmingCharacters(in: .whitespacesAndNewlines)
        print("perf events   perf_event_paranoid is \(paranoid ?? "not readable")")
        if !isWhole { throw ExitStatus.toolFailed }
    }
}
