// A server that keeps a heap and answers, and a client that asks until its input ends:
//   LookedAt server MEGABYTES      writes the port
//   LookedAt client PORT           writes requests, failures, the longest answer in milliseconds
import Foundation

final class Entry: @unchecked Sendable {
    var next: Entry?
    let number: Int
    let text = [UInt64](repeating: 7, count: 12)

    init(_ number: Int, _ next: Entry?) { (self.number, self.next) = (number, next) }
}

final class Session {
    let entry: Entry
    var history: [Entry] = []

    init(_ entry: Entry) { self.entry = entry }
}

nonisolated(unsafe) var table: [Entry] = []

func address(_ port: UInt16) -> sockaddr_in {
    var result = sockaddr_in()
    result.sin_family = sa_family_t(AF_INET)
    result.sin_port = port.bigEndian
    result.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return result
}

func withAddress<T>(_ value: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>) -> T) -> T {
    withUnsafeMutablePointer(to: &value) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body) }
}

/// A word from, or to, the other end; false: it is gone.
func receive(_ socket: Int32, _ word: inout UInt64) -> Bool { recv(socket, &word, 8, Int32(MSG_WAITALL)) == 8 }
func answer(_ socket: Int32, _ word: UInt64) -> Bool {
    var word = word
    return send(socket, &word, 8, Int32(MSG_NOSIGNAL)) == 8
}

func serve(_ socket: Int32) {
    var word: UInt64 = 0
    while receive(socket, &word) {
        let session = Session(table[Int(word) % table.count])
        var (next, sum): (Entry?, UInt64) = (session.entry, 0)
        for _ in 0..<50 {
            guard let entry = next else { break }
            session.history.append(entry)
            sum &+= entry.text[Int(word % 12)]
            next = entry.next
        }
        guard answer(socket, word &+ sum / 7 &- UInt64(session.history.count)) else { break }
    }
    close(socket)
}

func runServer(_ megabytes: Int) {
    // An entry and its array take 48 and 128 bytes, its place in the table 8.
    for number in 0..<megabytes << 20 / 184 { table.append(Entry(number, table.last)) }
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var own = address(0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    guard withAddress(&own, { bind(listener, $0, size) }) == 0, listen(listener, 64) == 0,
        withAddress(&own, { getsockname(listener, $0, &size) }) == 0
    else { exit(1) }
    print(UInt16(bigEndian: own.sin_port))
    fflush(nil)
    while true {
        let socket = accept(listener, nil, nil)
        guard socket >= 0 else { exit(1) }
        Thread.detachNewThread { serve(socket) }
    }
}

nonisolated(unsafe) var requests = 0
nonisolated(unsafe) var failures = 0
nonisolated(unsafe) var longest = 0.0
let lock = NSLock()

func ask(_ port: UInt16) {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var other = address(port)
    var isOpen = withAddress(&other) { connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) } == 0
    var word: UInt64 = 0
    repeat {
        let start = Date()
        var reply: UInt64 = 0
        isOpen = isOpen && answer(socket, word) && receive(socket, &reply) && reply == word
        word += 7919
        lock.withLock {
            requests += 1
            if !isOpen { failures += 1 }
            longest = max(longest, -start.timeIntervalSinceNow)
        }
    } while isOpen
}

@main
enum LookedAt {
    static func main() {
        if CommandLine.arguments[1] == "server" { runServer(Int(CommandLine.arguments[2])!) }
        let port = UInt16(CommandLine.arguments[2])!
        for _ in 0..<4 { Thread.detachNewThread { ask(port) } }
        while readLine() != nil {}
        lock.withLock { print(requests, failures, Int(longest * 1000)) }
    }
}
