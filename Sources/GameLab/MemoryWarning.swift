import Foundation

/// Warnings that memory is short: from a recorder that is loaded into this program, or from the program itself.
///
/// Used on the main thread, and on that of the recorder once everything is registered.
enum MemoryWarning {
    private typealias Handler = @convention(c) () -> Void
    private typealias Register = @convention(c) (Handler?) -> Void

    nonisolated(unsafe) private static var handlers: [() -> Void] = []

    /// Calls `handler` at each warning.
    static func observe(_ handler: @escaping () -> Void) {
        handlers.append(handler)
        guard let register = dlsym(nil, "gp_on_memory_warning") else { return }
        unsafeBitCast(register, to: Register.self)({ MemoryWarning.callHandlers() })
    }

    static func send() {
        guard let send = dlsym(nil, "gp_send_memory_warning") else { return callHandlers() }
        unsafeBitCast(send, to: Handler.self)()
    }

    private static func callHandlers() {
        for handler in handlers { handler() }
    }
}
