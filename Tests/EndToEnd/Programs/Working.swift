// Computes and keeps as much as its argument says.
import Foundation

@inline(never)
func work(_ amount: Int) -> (UInt64, [[UInt8]]) {
    var (state, kept) = (UInt64(1), [[UInt8]]())
    for number in 0..<amount {
        kept.append([UInt8](repeating: UInt8(number & 255), count: 64 << 20))
        let end = clock() + 150_000
        while clock() < end { state = state &* 6_364_136_223_846_793_005 &+ 1 }
    }
    return (state, kept)
}

let result = work(Int(CommandLine.arguments[1]) ?? 1)
print("kept \(result.1.count)")
