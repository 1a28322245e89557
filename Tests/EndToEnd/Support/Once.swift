import Synchronization

/// Values that tests share: the first who asks for one makes it, the others wait. Who asks for another does not.
final class Once<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private final class Slot: Sendable { let value = Mutex<Value?>(nil) }

    private let slots = Mutex<[Key: Slot]>([:])

    func value(for key: Key, make: () throws -> Value) rethrows -> Value {
        let slot = slots.withLock { slots in
            let slot = slots[key] ?? Slot()
            slots[key] = slot
            return slot
        }
        return try slot.value.withLock { value in
            if let value { return value }
            let made = try make()
            value = made
            return made
        }
    }
}
