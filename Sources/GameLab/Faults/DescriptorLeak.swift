import Foundation

/// Reads the best score of a file.
enum ScoreFile {
    static let path = NSTemporaryDirectory() + "gamelab-scores-\(ProcessInfo.processInfo.processIdentifier)"

    static func write() {
        // A file of its own, not what somebody has put there.
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        let text = Array("720 points in level 3".utf8)
        _ = Foundation.write(file, text, text.count)
        close(file)
    }

    /// The fault: a score that is no record leaves the function without closing the file.
    @inline(never)
    static func isRecordForgetting(_ score: Int) -> Bool {
        let file = open(path, O_RDONLY)
        guard best(in: file) < score else { return false }
        close(file)
        return true
    }

    /// The cure: the file is closed on every path.
    @inline(never)
    static func isRecord(_ score: Int) -> Bool {
        let file = open(path, O_RDONLY)
        defer { close(file) }
        return best(in: file) < score
    }

    private static func best(in file: Int32) -> Int {
        var digits: [UInt8] = [0, 0, 0]
        guard read(file, &digits, digits.count) == digits.count else { return 0 }
        return Int(String(decoding: digits, as: UTF8.self)) ?? 0
    }
}

/// Opens the file of scores after each level and closes it only after a record.
enum DescriptorLeak: Fault {
    static let name = "descriptor-leak"
    static let summary = "A file is opened after each level and left open on one path through the function."
    static let defaultPresses = 40
    static let pressLimit = 1_000

    static func commit(presses: Int) { play(presses, isRecord: ScoreFile.isRecordForgetting) }

    static func commitCured(presses: Int) { play(presses, isRecord: ScoreFile.isRecord) }

    @inline(never)
    private static func play(_ levels: Int, isRecord: (Int) -> Bool) {
        ScoreFile.write()
        defer { unlink(ScoreFile.path) }
        var records = 0
        for level in 0..<levels {
            if isRecord(level) { records += 1 }
            usleep(5_000)
        }
        say("played \(levels) levels with \(records) records")
    }
}
