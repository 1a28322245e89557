import Foundation

struct TextEdit {
    let range: Range<Int>
    let replacement: String

    var delta: Int { replacement.count - range.count }
}

/// A position which follows edits.
final class Marker {
    enum Gravity { case left, right }

    fileprivate(set) var offset: Int
    let gravity: Gravity
    private weak var buffer: TextBuffer?
    var onMove: ((Int) -> Void)?

    fileprivate init(offset: Int, gravity: Gravity, buffer: TextBuffer) {
        self.offset = offset
        self.gravity = gravity
        self.buffer = buffer
    }

    fileprivate func adjust(for edit: TextEdit) {
        let old = offset
        if offset >= edit.range.upperBound, gravity == .right || offset > edit.range.lowerBound {
            offset += edit.delta
        } else if offset > edit.range.lowerBound {
            offset = edit.range.lowerBound
        }
        if offset != old { onMove?(offset) }
    }

    var lineNumber: Int? { buffer?.line(at: offset) }
}

struct WeakList<Object: AnyObject> {
    private struct Box {
        weak var object: Object?
    }

    private var boxes: [Box] = []

    mutating func append(_ object: Object) {
        if boxes.count.isMultiple(of: 32) { boxes.removeAll { $0.object == nil } }
        boxes.append(Box(object: object))
    }

    var live: [Object] { boxes.compactMap(\.object) }
}

final class TextBuffer {
    private var characters: [Character]
    private var markers = WeakList<Marker>()
    private var undoLog: [TextEdit] = []
    private var depth = 0

    init(_ text: String) {
        characters = Array(text)
    }

    var text: String { String(characters) }

    func marker(at offset: Int, gravity: Marker.Gravity = .right) -> Marker {
        let marker = Marker(offset: offset, gravity: gravity, buffer: self)
        markers.append(marker)
        return marker
    }

    func replace(_ range: Range<Int>, with text: String) {
        let removed = String(characters[range])
        let edit = TextEdit(range: range, replacement: text)
        characters.replaceSubrange(range, with: text)
        undoLog.append(TextEdit(range: range.lowerBound..<(range.lowerBound + text.count), replacement: removed))
        if undoLog.count > 200 { undoLog.removeFirst(100) }
        markers.live.forEach { $0.adjust(for: edit) }
    }

    func undo() {
        guard let inverse = undoLog.popLast() else { return }
        replace(inverse.range, with: inverse.replacement)
        undoLog.removeLast()
    }

    func atomically(_ body: (TextBuffer) throws -> Void) rethrows {
        depth += 1
        defer { depth -= 1 }
        let checkpoint = undoLog.count
        do {
            try body(self)
        } catch {
            while undoLog.count > checkpoint { undo() }
            throw error
        }
    }

    fileprivate func line(at offset: Int) -> Int {
        characters.prefix(offset).reduce(1) { $1 == "\n" ? $0 + 1 : $0 }
    }
}

final class Bookmarks {
    private let buffer: TextBuffer
    private var named: [String: Marker] = [:]
    private var moves: [String: Int] = [:]

    init(buffer: TextBuffer) {
        self.buffer = buffer
    }

    func set(_ name: String, at offset: Int) {
        let marker = buffer.marker(at: offset)
        marker.onMove = { [weak self] _ in
            self?.moves[name, default: 0] += 1
        }
        named[name] = marker
    }

    func list() -> [String] {
        named.sorted { $0.key < $1.key }.map { name, marker in
            "\(name)@\(marker.offset) line \(marker.lineNumber ?? 0) moved \(self.moves[name] ?? 0)"
        }
    }
}

struct RejectedEdit: Error {}

func editNotes() {
    let buffer = TextBuffer("alpha\nbeta\ngamma\n")
    let bookmarks = Bookmarks(buffer: buffer)
    bookmarks.set("start", at: 0)
    bookmarks.set("third", at: 11)
    buffer.replace(0..<5, with: "omega point")
    try? buffer.atomically { buffer in
        buffer.replace(0..<2, with: "")
        throw RejectedEdit()
    }
    buffer.replace(3..<3, with: "\n")
    print(bookmarks.list())
    buffer.undo()
    print(buffer.text.split(separator: "\n"), bookmarks.list())
}

editNotes()
