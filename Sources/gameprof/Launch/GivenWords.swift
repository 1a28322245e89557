import Foundation

/// Words of the command line as they were given.
enum GivenWords {
    /// The bytes of words that stand at the end of the command line, as they were written there: a program gets what it
    /// was given, UTF-8 or not. Words that do not stand there are their own UTF-8.
    static func bytes(of words: [String]) -> [[UInt8]] {
        var result = words.map { Array($0.utf8) }
        for (place, word) in zip(result.indices, words).reversed() {
            let number = Int(CommandLine.argc) - (words.count - place)
            guard number > 0, let given = CommandLine.unsafeArgv[number] else { break }
            let bytes = Array(UnsafeRawBufferPointer(start: given, count: strlen(given)))
            guard String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(word.utf8) else { break }
            result[place] = bytes
        }
        return result
    }
}
