import Foundation

protocol KeyValueStorage: AnyObject {
    func write(_ value: some Encodable, for key: String)
    func read<V: Decodable>(_ type: V.Type, for key: String) -> V?
}

final class MemoryStorage: KeyValueStorage {
    private var blobs: [String: Data] = [:]

    func write(_ value: some Encodable, for key: String) {
        blobs[key] = try? JSONEncoder().encode(value)
    }

    func read<V: Decodable>(_ type: V.Type, for key: String) -> V? {
        blobs[key].flatMap { try? JSONDecoder().decode(type, from: $0) }
    }
}

@propertyWrapper
final class Persisted<Value: Codable & Equatable> {
    private let key: String
    private let storage: any KeyValueStorage
    private var cached: Value
    private var onChange: ((Value, Value) -> Void)?

    init(wrappedValue: Value, _ key: String, storage: any KeyValueStorage) {
        self.key = key
        self.storage = storage
        self.cached = storage.read(Value.self, for: key) ?? wrappedValue
    }

    var wrappedValue: Value {
        get { cached }
        set {
            guard newValue != cached else { return }
            let old = cached
            cached = newValue
            storage.write(newValue, for: key)
            onChange?(old, newValue)
        }
    }

    var projectedValue: Persisted<Value> { self }

    func sink(_ body: @escaping (Value, Value) -> Void) {
        onChange = body
    }
}

/// Keeps a number inside a range; plain value wrapper.
@propertyWrapper
struct Clamped<Value: Comparable> {
    private var value: Value
    private let range: ClosedRange<Value>

    init(wrappedValue: Value, _ range: ClosedRange<Value>) {
        self.range = range
        value = min(max(wrappedValue, range.lowerBound), range.upperBound)
    }

    var wrappedValue: Value {
        get { value }
        set { value = min(max(newValue, range.lowerBound), range.upperBound) }
    }
}

final class ReaderPreferences {
    @Persisted var fontSize: Double
    @Persisted var theme: String
    @Clamped(0.8...2.0) var lineSpacing = 1.2

    private(set) var layoutGeneration = 0
    private(set) var themeChanges = 0

    init(storage: any KeyValueStorage) {
        _fontSize = Persisted(wrappedValue: 14, "reader.fontSize", storage: storage)
        _theme = Persisted(wrappedValue: "paper", "reader.theme", storage: storage)
        $fontSize.sink { old, new in
            if abs(old - new) > 0.1 { self.layoutGeneration += 1 }
        }
        $theme.sink { [weak self] _, _ in
            self?.themeChanges += 1
        }
    }

    func zoom(by factor: Double) {
        fontSize *= factor
        lineSpacing *= factor.squareRoot()
    }
}

final class ReaderPage {
    private let preferences: ReaderPreferences
    private var words: [Substring]

    init(text: String, preferences: ReaderPreferences) {
        self.preferences = preferences
        words = text.split(separator: " ")
    }

    func lines(width: Double) -> [String] {
        let perLine = max(1, Int(width / preferences.fontSize))
        return stride(from: 0, to: words.count, by: perLine).map { start in
            self.words[start..<min(start + perLine, self.words.count)].joined(separator: " ")
        }
    }
}

func read() {
    let storage = MemoryStorage()
    for factor in [1.1, 1.5] {
        let preferences = ReaderPreferences(storage: storage)
        let page = ReaderPage(text: "the quick brown fox jumps over the lazy dog", preferences: preferences)
        preferences.zoom(by: factor)
        preferences.theme = factor > 1.2 ? "night" : "sepia"
        print(page.lines(width: 60).count, preferences.layoutGeneration, preferences.themeChanges)
    }
}

read()
