// make bench: what recording costs, beside the unrecorded program and the peers, in the same run.
//     bench --tools DIR --programs DIR [--rounds N] [ROW… | --curves FILE [--largest N]]
import Foundation

var options: [String: String] = ["--rounds": "5"]
var wanted: Set<String> = []
var words = CommandLine.arguments.dropFirst().makeIterator()
while let word = words.next() {
    if word.hasPrefix("--") { options[word] = words.next() ?? "" } else { wanted.insert(word) }
}
guard let tools = options["--tools"], let programs = options["--programs"],
    let rounds = options["--rounds"].flatMap(Int.init), rounds > 0,
    options["--curves"] != ""
else {
    print("usage: bench --tools DIR --programs DIR [--rounds N] [ROW… | --curves FILE [--largest N]]")
    exit(2)
}

let scratch = NSTemporaryDirectory() + "gameprof-bench-\(getpid())"
try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
func removeScratch() { try? FileManager.default.removeItem(atPath: scratch) }
defer { removeScratch() }
let rows = Rows(tools: tools, programs: programs, scratch: scratch, rounds: rounds)

// A reader of a log sees each row when it is there.
setvbuf(stdout, nil, _IOLBF, 0)
if let file = options["--curves"] {
    try rows.writeCurves(to: file, largest: options["--largest"].flatMap(Int.init) ?? 100_000_000)
    removeScratch()
    exit(0)
}
print("Medians of \(rounds) interleaved runs; × is the ratio to the unrecorded program.\n")
for row in rows.all where wanted.isEmpty || wanted.contains(row.name) {
    print("## \(row.name): \(row.title)")
    row.run()
    print("")
}
