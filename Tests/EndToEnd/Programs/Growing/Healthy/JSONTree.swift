// Reads JSON into a tree of objects, changes it, writes it.
class Value { func write(to text: inout String) {} }
final class Text: Value {
    let string: String
    init(_ s: String) { string = s }
    override func write(to text: inout String) { text += "\"\(string)\"" }
}
final class Number: Value {
    var number: Double
    init(_ n: Double) { number = n }
    override func write(to text: inout String) { text += "\(number)" }
}
final class Flag: Value {
    let flag: Bool
    init(_ f: Bool) { flag = f }
    override func write(to text: inout String) { text += flag ? "true" : "false" }
}
final class List: Value {
    var items: [Value] = []
    override func write(to text: inout String) {
        text += "["
        for (i, item) in items.enumerated() {
            if i > 0 { text += "," }
            item.write(to: &text)
        }
        text += "]"
    }
}
final class Object: Value {
    var members: [(key: String, value: Value)] = []
    override func write(to text: inout String) {
        text += "{"
        for (i, m) in members.enumerated() {
            if i > 0 { text += "," }
            text += "\"\(m.key)\":"
            m.value.write(to: &text)
        }
        text += "}"
    }
}
struct Reader {
    private let bytes: [UInt8]
    private var at = 0
    init(_ text: String) { bytes = Array(text.utf8) }
    private mutating func skip() { while at < bytes.count, bytes[at] == 32 || bytes[at] == 10 { at += 1 } }
    private mutating func string() -> String {
        at += 1
        let start = at
        while bytes[at] != 34 { at += 1 }
        at += 1
        return String(decoding: bytes[start..<(at - 1)], as: UTF8.self)
    }
    mutating func value() -> Value {
        skip()
        switch bytes[at] {
        case 34: return Text(string())
        case 91:
            let list = List()
            at += 1
            skip()
            while bytes[at] != 93 {
                list.items.append(value())
                skip()
                if bytes[at] == 44 { at += 1 }
            }
            at += 1
            return list
        case 123:
            let object = Object()
            at += 1
            skip()
            while bytes[at] != 125 {
                skip()
                let key = string()
                skip()
                at += 1
                object.members.append((key, value()))
                skip()
                if bytes[at] == 44 { at += 1 }
            }
            at += 1
            return object
        case 116:
            at += 4
            return Flag(true)
        case 102:
            at += 5
            return Flag(false)
        default:
            let start = at
            while at < bytes.count, bytes[at] == 45 || bytes[at] == 46 || (bytes[at] >= 48 && bytes[at] <= 57) {
                at += 1
            }
            return Number(Double(String(decoding: bytes[start..<at], as: UTF8.self)) ?? 0)
        }
    }
}
func raise(_ value: Value) {
    if let number = value as? Number { number.number *= 1.5 }
    if let list = value as? List { for item in list.items { raise(item) } }
    if let object = value as? Object { for member in object.members { raise(member.value) } }
}
var text = "["
for number in 0..<900 {
    text +=
        (number > 0 ? "," : "")
        + "{\"id\":\(number),\"name\":\"item number \(number) of the list\",\"sizes\":[1,\(number % 7),3],\"open\":\(number % 2 == 0)}"
}
text += "]"
var reader = Reader(text)
let root = reader.value()
raise(root)
var written = ""
root.write(to: &written)
print(text.utf8.count, "read,", written.utf8.count, "written")
