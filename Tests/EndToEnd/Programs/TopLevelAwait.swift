// Top-level code that interpolates strings and awaits: the compiler (Swift 6.3) does not release them.
import Foundation

setvbuf(stdout, nil, _IONBF, 0)
let count = ProcessInfo.processInfo.arguments.count
for _ in 0..<1 { print("a line that is too long for a small string, with \(count) argument") }
print("another line that is too long for a small string, with \(count) argument")
await Task.detached { usleep(1_000) }.value
print("waiting")
await Task.detached { _ = readLine() }.value
