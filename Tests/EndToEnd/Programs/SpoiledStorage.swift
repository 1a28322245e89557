// Storage as an initializer that was interrupted in its middle leaves it: with words of the memory's last owner. Takes the
// word that stands where the keys and elements should be, in hexadecimal digits.
import Glibc

final class Lost {
    var own: Lost?

    init() { own = self }
}

@inline(never) func lose() { _ = Lost() }

nonisolated(unsafe) var table: [String: [Int]] = [:]
nonisolated(unsafe) var numbers: Set<Int> = []

@main struct SpoiledStorage {
    static func main() {
        let elements = 48
        let word = UInt(CommandLine.arguments[1], radix: 16)!
        for i in 0..<100 {
            table["\(i)"] = [i]
            numbers.insert(i)
        }
        lose()
        for storage in [
            unsafeBitCast(table, to: UnsafeMutableRawPointer.self),
            unsafeBitCast(numbers, to: UnsafeMutableRawPointer.self),
        ] {
            storage.storeBytes(of: word, toByteOffset: elements, as: UInt.self)
        }
        exit(0)
    }
}
