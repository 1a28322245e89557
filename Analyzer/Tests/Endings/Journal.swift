// Lost: grows for each request
struct Entry {
    let path: String
    let size: Int
}
enum Journal {
    nonisolated(unsafe) private static var entries: [Entry] = []  // leak
    static func note(_ path: String, _ size: Int) { entries.append(Entry(path: path, size: size)) }
    static var total: Int { entries.reduce(0) { $0 + $1.size } }
}
final class Handler {
    func handle(_ path: String) -> String {
        Journal.note(path, path.count)
        return "200 " + path
    }
}
let handler = Handler()
while let line = readLine() { print(handler.handle(line)) }
print(Journal.total)
