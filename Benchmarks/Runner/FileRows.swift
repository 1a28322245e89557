import Foundation

/// What counting the calls of files costs, of a program that does nothing else.
extension Rows {
    var fileRows: [Row] {
        [Row(name: "files", title: "files: read 2 GB in blocks of 4 KB from the kernel's memory", run: blocks)]
    }

    private func blocks() {
        let file = scratch + "/blocks"
        try? Data(count: 16 << 20).write(to: URL(fileURLWithPath: file))
        let program = [programs + "/ReadBlocks", file, "4096", "500000"]
        let record = [tools + "/gameprof", "record", "--quiet", "--instruments", "files", "--output"]
        table([
            Variant(name: "unrecorded", arguments: program, mustSucceed: true),
            Variant(
                name: "gameprof", arguments: record + [scratch + "/blocks.gptrace", "--"] + program, mustSucceed: true),
        ])
    }
}
