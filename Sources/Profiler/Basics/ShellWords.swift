/// Words of a command line as a shell reads them back.
public enum ShellWords {
    public static func joined(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }

    private static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
                || "-_./,:=+@%".utf8.contains(byte)
        }
        return isPlain && !word.isEmpty
            ? word
            : "'"
                + word.split(separator: "'", omittingEmptySubsequences: false)
                .joined(separator: "'\\''") + "'"
    }
}
