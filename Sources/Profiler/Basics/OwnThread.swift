import Foundation

/// Threads that the tool makes for one piece of work.

private final class ThreadBody {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
}

/// Runs `body` in a thread of its own. Nil: none can be made.
/// - Parameters:
///   - stackSize: in bytes; nil: the system's.
///   - isDetached: nobody joins it.
package func startThread(
    stackSize: Int? = nil, isDetached: Bool = false, _ body: @escaping () -> Void
) -> pthread_t? {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    if let stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
    if isDetached { pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED)) }
    let body = Unmanaged.passRetained(ThreadBody(body))
    var thread = pthread_t()
    let code = pthread_create(
        &thread, &attributes,
        { body in
            Unmanaged<ThreadBody>.fromOpaque(body!).takeRetainedValue().run()
            return nil
        }, body.toOpaque())
    guard code == 0 else {
        body.release()
        return nil
    }
    return thread
}

/// Does two things at once, the second in a thread of its own; one after the other where no thread is wanted, or none can be made.
package func sideBySide<First, Second>(
    where isShared: Bool = true, _ first: () -> First, _ second: () -> Second
) -> (First, Second) {
    guard isShared else { return (first(), second()) }
    return withoutActuallyEscaping(second) { second in
        nonisolated(unsafe) var other: Second?
        let thread = startThread { other = second() }
        let result = first()
        if let thread { pthread_join(thread, nil) }
        return (result, other ?? second())
    }
}

/// Whether work on so many blocks is long enough to be shared out among threads.
package func isShared(blocks: Int) -> Bool { blocks >= 1 << 20 }
