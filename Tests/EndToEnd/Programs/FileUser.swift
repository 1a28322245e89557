import Foundation

// Files as Swift programs use them. What is done, a word says; the file is the second argument.

let path = CommandLine.arguments[2]

@inline(never) func readByHandle() -> Int {
    guard let handle = FileHandle(forReadingAtPath: path) else { return 0 }
    defer { try? handle.close() }
    var sum = 0
    while let data = try? handle.read(upToCount: 1024), !data.isEmpty { sum += data.count }
    return sum
}

@inline(never) func readPlainly() -> Int {
    let file = open(path, O_RDONLY)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    var sum = 0
    while case let count = read(file, &bytes, bytes.count), count > 0 { sum += count }
    return sum
}

/// Forgets the descriptor of a file that is too short.
@inline(never) func firstByte(ofAtLeast size: Int) -> UInt8? {
    let file = open(path, O_RDONLY)
    var bytes = [UInt8](repeating: 0, count: size)
    guard read(file, &bytes, size) == size else { return nil }
    close(file)
    return bytes[0]
}

/// Forgets the descriptor in every second round, before it is used.
@inline(never) func save(_ round: Int) {
    let file = open(path, O_RDONLY)
    if round % 2 == 1 { return }
    var byte: UInt8 = 0
    read(file, &byte, 1)
    close(file)
}

/// Keeps the last 25 files open and reads each when it opens it.
@inline(never) func cache(_ files: inout [Int32]) {
    let file = open(path, O_RDONLY)
    var byte: UInt8 = 0
    read(file, &byte, 1)
    files.append(file)
    if files.count > 25 { close(files.removeFirst()) }
}

/// Opens files until the end and reads all of them all the time.
@inline(never) func keepOpen(_ files: inout [Int32]) {
    files.append(open(path, O_RDONLY))
    var byte: UInt8 = 0
    for file in files { pread(file, &byte, 1, 0) }
}

/// A pair of connected sockets, one of which says something.
@inline(never) func connect() -> (server: Int32, client: Int32) {
    var pair: [Int32] = [0, 0]
    var byte: UInt8 = 7
    socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair)
    write(pair[1], &byte, 1)
    read(pair[0], &byte, 1)
    return (pair[0], pair[1])
}

switch CommandLine.arguments[1] {
case "read": print("\(readByHandle()) and \(readPlainly()) bytes")
case "leak":
    var found = 0
    for _ in 0..<40 {
        if firstByte(ofAtLeast: 1_000_000) != nil { found += 1 }
        usleep(25_000)
    }
    print("\(found) found")
case "half":
    for round in 0..<60 {
        save(round)
        usleep(5_000)
    }
case "cache":
    var kept: [Int32] = []
    for _ in 0..<60 {
        cache(&kept)
        usleep(5_000)
    }
    // Lock files of sessions, half of which end.
    var locked: [Int32] = []
    for round in 0..<60 {
        let file = open("\(path).lock\(round)", O_RDWR | O_CREAT, 0o600)
        flock(file, LOCK_EX)
        if round % 2 == 1 { close(file) } else { locked.append(file) }
        usleep(5_000)
    }
    print("\(kept.count) \(locked.count)")
case "idle":
    for _ in 0..<40 {
        _ = firstByte(ofAtLeast: 1_000_000)
        usleep(5_000)
    }
    usleep(200_000)
case "hung-up":
    for _ in 0..<40 {
        close(connect().client)
        usleep(2_000)
    }
    usleep(200_000)
case "connected":
    let connections = (0..<30).map { _ in
        usleep(2_000)
        return connect()
    }
    let files = (0..<40).map { _ in firstByte(ofAtLeast: 1_000_000) }
    usleep(500_000)
    print("\(connections.count) \(files.count)")
case "healthy":
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    // A pool, which is filled at the beginning.
    let pool = (0..<20).map { _ in open(path, O_RDONLY) }
    var kept: [Int32] = []
    for _ in 0..<40 {
        keepOpen(&kept)
        _ = readPlainly()
        usleep(2_000)
    }
    print("\(listener >= 0) \(pool.count) \(kept.count)")
default: break
}
