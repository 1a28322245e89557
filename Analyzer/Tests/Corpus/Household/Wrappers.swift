import Foundation

@propertyWrapper
struct Observed<Value> {
    var wrappedValue: Value { didSet { onChange?(wrappedValue) } }
    var onChange: ((Value) -> Void)?
    var projectedValue: Observed<Value> {
        get { self }
        set { self = newValue }
    }
    init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

@propertyWrapper
struct WeakRef<Value: AnyObject> {
    private weak var value: Value?
    var wrappedValue: Value? {
        get { value }
        set { value = newValue }
    }
    init(wrappedValue: Value?) { value = wrappedValue }
}

@propertyWrapper
struct Locked<Value> {
    private var value: Value
    private let lock = NSLock()
    var wrappedValue: Value {
        get { lock.withLock { value } }
        set { lock.withLock { value = newValue } }
    }
    init(wrappedValue: Value) { value = wrappedValue }
}

final class Slider {
    @Observed var level = 0
    @Locked var handler: (() -> Void)?
    @Locked private var callbacks: [String: () -> Void] = [:]
    @WeakRef var parent: SliderBox?  // no-finding: back-reference
    private var moves = 0

    func bind() {
        $level.onChange = { _ in self.moves += 1 }  // suspect: stored-closure
        handler = { self.moves += 1 }  // suspect: stored-closure
        callbacks["x"] = { self.moves += 1 }  // suspect: stored-closure
    }

    func bindWeakly() {
        $level.onChange = { [weak self] _ in self?.moves += 1 }  // no-finding: stored-closure
        handler = { [weak self] in self?.moves += 1 }  // no-finding: stored-closure
    }
}

final class SliderBox {
    private var sliders: [Slider] = []
    func add(_ slider: Slider) {
        slider.parent = self
        sliders.append(slider)
    }
}
