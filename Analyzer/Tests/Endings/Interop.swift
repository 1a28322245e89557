import Foundation

// references by hand: boxes in C, retain for a call, a handle in a struct, a table with take
typealias Callback = @convention(c) (UnsafeMutableRawPointer) -> Void
final class Box<Value> {
    let value: Value
    init(_ value: Value) { self.value = value }
}
func schedule(_ context: UnsafeMutableRawPointer, _ callback: Callback) { callback(context) }
func perform(_ body: @escaping () -> Void) {
    let box = Unmanaged.passRetained(Box(body))
    schedule(box.toOpaque()) { raw in
        Unmanaged<Box<() -> Void>>.fromOpaque(raw).takeRetainedValue().value()
    }
}
final class Watcher {
    private var context: Unmanaged<Watcher>?
    private(set) var events = 0
    func start() {
        guard context == nil else { return }
        context = Unmanaged.passRetained(self)
    }
    func fire() {
        guard let context else { return }
        schedule(context.toOpaque()) { Unmanaged<Watcher>.fromOpaque($0).takeUnretainedValue().events += 1 }
    }
    func stop() {
        context?.release()
        context = nil
    }
}
struct Handle {
    private let reference: Unmanaged<Box<Int>>
    init(_ value: Int) { reference = Unmanaged.passRetained(Box(value)) }
    var value: Int { reference._withUnsafeGuaranteedRef { $0.value } }
    func free() { reference.release() }
}
final class Slab {
    private var handles: [Handle] = []
    func add(_ value: Int) { handles.append(Handle(value)) }
    var sum: Int { handles.reduce(0) { $0 + $1.value } }
    deinit { for handle in handles { handle.free() } }
}
func borrow(_ box: Box<Int>) -> Int {
    let reference = Unmanaged.passUnretained(box)
    _ = reference.retain()
    let result = reference.takeUnretainedValue().value
    reference.release()
    return result
}
func hand(_ value: Int, _ isEven: Bool) -> Int? {
    let reference = Unmanaged.passRetained(Box(value))
    guard isEven else {
        reference.release()
        return nil
    }
    return reference.takeRetainedValue().value
}
perform { print("performed") }
let watcher = Watcher()
watcher.start()
watcher.fire()
watcher.stop()
let slab = Slab()
slab.add(3)
print(slab.sum, borrow(Box(2)), hand(4, true) ?? 0, hand(5, false) ?? 0)
