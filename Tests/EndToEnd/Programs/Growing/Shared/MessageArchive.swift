// A mail reader's shared store: messages of the inbox are loaded page by page and shown; the inbox has 1,200.
import Foundation

final class Message {
    let id: Int
    let subject: String
    let body: String
    var isRead = false
    init(id: Int, subject: String, body: String) {
        self.id = id
        self.subject = subject
        self.body = body
    }
}
final class Inbox {
    nonisolated(unsafe) static let shared = Inbox()
    private(set) var messages: [Message] = []
    private init() {}
    func add(_ page: [Message]) { messages += page }
    func read(_ index: Int) { messages[index].isRead = true }
}
struct Service {
    func page(_ number: Int) -> Data {
        let rows = (0..<30).map { ["id": number * 30 + $0, "length": 40 + $0] as [String: Int] }
        return (try? JSONSerialization.data(withJSONObject: rows)) ?? Data()
    }
}
final class List {
    private(set) var visible: [String] = []
    func show(_ messages: ArraySlice<Message>) { visible = messages.map { "\($0.isRead ? " " : "•") \($0.subject)" } }
}
let service = Service()
let list = List()
for number in 0..<40 {
    let rows = (try JSONSerialization.jsonObject(with: service.page(number)) as? [[String: Any]]) ?? []
    Inbox.shared.add(
        rows.map { row in
            let id = (row["id"] as? Int) ?? 0
            return Message(
                id: id, subject: "Subject of message \(id)",
                body: String(repeating: "text ", count: (row["length"] as? Int) ?? 0))
        })
    for index in stride(from: 0, to: Inbox.shared.messages.count, by: 7) { Inbox.shared.read(index) }
    list.show(Inbox.shared.messages.suffix(20))
}
print(Inbox.shared.messages.count, list.visible.last ?? "")
