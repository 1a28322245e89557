import Foundation

/// The system's words for `errno`, without a capital first letter, to stand inside a sentence.
package func systemReason(_ number: Int32 = errno) -> String {
    let text = String(cString: strerror(number))
    return text.prefix(1).lowercased() + text.dropFirst()
}
