import Foundation

final class Payload { var bytes: [UInt8] = [] }

func split(_ payload: Payload) -> UnsafeMutableRawPointer {
    let handle = Unmanaged.passRetained(payload)  // no-finding: unmanaged
    let (pointer, _) = (handle.toOpaque(), 1)
    return pointer
}

func leaveEarly(_ payload: Payload, _ isGood: Bool) -> Int {
    let handle = Unmanaged.passRetained(payload)  // suspect: unmanaged
    guard isGood else { return 0 }
    let count = handle.takeUnretainedValue().bytes.count
    handle.release()
    return count
}

func balanced(_ payload: Payload) throws -> Int {
    let handle = Unmanaged.passRetained(payload)  // no-finding: unmanaged
    defer { handle.release() }
    if payload.bytes.isEmpty { throw CocoaError(.fileNoSuchFile) }
    return handle.takeUnretainedValue().bytes.count
}

func twice(_ payload: Payload) {
    let handle = Unmanaged.passRetained(payload)
    handle.release()
    handle.release()  // suspect: unmanaged
}

final class Bridge {
    private var context: UnsafeMutableRawPointer?

    func open(_ payload: Payload) {
        context = Unmanaged.passRetained(payload).toOpaque()  // no-finding: unmanaged
    }

    func close() {
        guard let context else { return }
        Unmanaged<Payload>.fromOpaque(context).release()
        self.context = nil
    }
}
