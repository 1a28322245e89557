// Reads a file that is in memory, in blocks of so many bytes, as many as the arguments say: `ReadBlocks FILE BYTES BLOCKS`.
import Foundation

let words = CommandLine.arguments
let (size, blocks) = (Int(words[2])!, Int(words[3])!)
let file = open(words[1], O_RDONLY)
let inFile = max(1, Int(lseek(file, 0, SEEK_END)) / size)
let bytes = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 4096)
var sum = 0

@inline(never)
func readAll() {
    for block in 0..<blocks { sum += pread(file, bytes, size, off_t(block % inFile * size)) }
}

readAll()
let start = DispatchTime.now().uptimeNanoseconds
readAll()
print("seconds \(Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9)")
exit(sum == 2 * blocks * size ? 0 : 1)
