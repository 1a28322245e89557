import Foundation

/// The graph of the living heap, written at exit, and what the tool makes of it; beside LeakSanitizer's check, which
/// walks the same heap and keeps nothing of it, and an analyser of Java heaps on the exported one.
extension Rows {
    var heapRows: [Row] {
        [1, 10].map { millions in
            Row(name: "heap-\(millions)m", title: "graph and dominators of \(millions) million objects in lists") {
                livingHeap(of: "FiveMillionObjects", argument: millions * 1_000, objects: millions * 1_000_000)
            }
        } + [
            Row(name: "heap-scattered", title: "the same of 1 million objects that refer to three others at random") {
                livingHeap(of: "ScatteredObjects", argument: 1_000_000, objects: 1_000_000)
            },
            Row(name: "heap-deep", title: "the same of 5 million objects in one list, so that paths are deep") {
                livingHeap(of: "LongList", argument: 5_000_000, objects: 5_000_000)
            },
        ]
    }

    private static let visualVM = "/usr/share/visualvm/visualvm/modules/org-graalvm-visualvm-lib-jfluid-heap.jar"

    private func livingHeap(of program: String, argument: Int, objects: Int) {
        let bare = [programs + "/" + program, String(argument)]
        let sanitized = [programs + "/\(program)-lsan", String(argument)]
        let trace = scratch + "/heap.gptrace"
        let recorder = tools + "/gameprof"
        table(
            [
                Variant(name: "unrecorded", arguments: bare),
                Variant(
                    name: "gameprof record",
                    arguments: [recorder, "record", "--instruments", "heap", "--output", trace, "--"] + bare),
                Variant(
                    name: "LeakSanitizer", arguments: sanitized, environment: ["LSAN_OPTIONS": "detect_leaks=1"]),
            ], wholeRun: true)
        print(
            "what the tool makes of it, beside a reader of the same heap as a Java heap dump (sizes and retained sizes by class):"
        )
        var readers = [
            Variant(
                name: "gameprof heap",
                arguments: [recorder, "heap", trace, "--quiet", "--json", scratch + "/heap.json"])
        ]
        let dump = scratch + "/heap.hprof"
        _ = measure(
            Variant(
                name: "export", arguments: [recorder, "export", trace, "--format", "hprof", "--output", dump]))
        if let java = find("java"), access(Self.visualVM, R_OK) == 0 {
            // Else it reads what its run before has kept.
            let parse = "rm -rf '\(dump).hwcache'; exec '\(java)' -Xmx8g -cp '\(Self.visualVM)'"
            readers.append(
                Variant(
                    name: "VisualVM's parser",
                    arguments: ["/bin/sh", "-c", "\(parse) Tests/Programs/HeapReaders/ReadHprof.java '\(dump)'"],
                    mustSucceed: true))
        } else {
            print("VisualVM's parser: not installed")
        }
        table(readers, wholeRun: true)
        for file in [dump, dump + ".hwcache"] { try? FileManager.default.removeItem(atPath: file) }
        let size = (try? FileManager.default.attributesOfItem(atPath: trace))?[.size] as? Int ?? 0
        print(String(format: "trace: %.1f bytes an object", Double(size) / Double(objects)))
    }
}
