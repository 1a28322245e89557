import Foundation

/// The leak check at the end of a program with millions of living Swift objects, beside LeakSanitizer's.
extension Rows {
    private static let objects = 5_000_000.0
    /// Lists of a thousand objects, 48 bytes of the heap each: 400 MB.
    private static let listsOf400MB = "8400"

    func leakCheck() {
        leakCheck(of: "FiveMillionObjects")
        let large = (0..<rounds).compactMap { _ in
            check(programs + "/FiveMillionObjects", Self.listsOf400MB, into: trace)
        }
        print(String(format: "the program paused at 400 MB of heap: %.1f ms", median(large.map(\.pause)) * 1e3))
        print("objects that refer to others at random:")
        leakCheck(of: "ScatteredObjects")
    }

    /// What a program pays that looks for its leaks itself.
    func leakWatch() {
        table(
            ["10000", "1000000"].flatMap { objects in
                [("begin", "begins"), ("report", "first report"), ("again", "second report")].map { word, name in
                    Variant(
                        name: "\(objects): \(name)", arguments: [programs + "/LeakWatch", word, objects],
                        environment: ["GAMEPROF": "leaks", "GAMEPROF_OUTPUT": scratch + "/watch.gptrace"],
                        mustSucceed: true)
                }
            })
    }

    private var trace: String { scratch + "/five.gptrace" }

    private func leakCheck(of program: String) {
        let bare = programs + "/" + program
        let runs = table(
            [
                Variant(name: "unrecorded", arguments: [bare]),
                Variant(name: "gameprof record", arguments: record(bare, into: trace)),
                Variant(
                    name: "LeakSanitizer", arguments: [bare + "-lsan"], environment: ["LSAN_OPTIONS": "detect_leaks=1"]
                ),
                Variant(
                    name: "its check off", arguments: [bare + "-lsan"], environment: ["LSAN_OPTIONS": "detect_leaks=0"]
                ),
            ], wholeRun: true)
        let sanitizer = zip(runs[2], runs[3]).map { $0.cpuSeconds - $1.cpuSeconds }
        let checks = (0..<rounds).compactMap { _ in check(bare, into: trace) }
        print(
            String(
                format: "the check itself: gameprof %.3f s, LeakSanitizer %.3f s", median(checks.map(\.seconds)),
                median(sanitizer)))
        print(String(format: "the program paused: %.1f ms", median(checks.map(\.pause)) * 1e3))
        // The frozen child shares the program's memory: what it has beyond that is the check's.
        let extra = runs[1].map { Double($0.peakBytes - $0.residentBytes) }
        print(String(format: "memory of the check: at most %.1f bytes an object", median(extra) / Self.objects))
    }

    private func record(_ program: String, into trace: String) -> [String] {
        [tools + "/gameprof", "record", "--instruments", "leaks", "--output", trace, "--", program]
    }

    /// Seconds of the analysis and of the pause that one more recording notes in its trace.
    private func check(
        _ program: String, _ arguments: String..., into trace: String
    ) -> (seconds: Double, pause: Double)? {
        _ = measure(Variant(name: "record", arguments: record(program, into: trace) + arguments))
        let dump = Process()
        let output = Pipe()
        dump.executableURL = URL(fileURLWithPath: "/bin/sh")
        // Millions of lines are about allocations.
        dump.arguments = ["-c", "\"$0\" dump \"$1\" | grep -a '^heap-'", tools + "/gameprof", trace]
        dump.standardOutput = output
        guard (try? dump.run()) != nil else { return nil }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        dump.waitUntilExit()
        func value(_ key: String, of record: String) -> Double? {
            guard let line = text.split(separator: "\n").last(where: { $0.hasPrefix(record) }),
                let word = line.split(separator: " ").first(where: { $0.hasPrefix(key + "=") })
            else { return nil }
            return Double(word.dropFirst(key.count + 1)).map { $0 / 1e9 }
        }
        guard let seconds = value("analysis", of: "heap-end"), let pause = value("pause", of: "heap-begin") else {
            return nil
        }
        return (seconds, pause)
    }
}
