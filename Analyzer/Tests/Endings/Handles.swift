// Lost: retained, never released
final class Context { var calls = 0 }
final class Registration {
    private var raw: UnsafeMutableRawPointer?
    func register(_ context: Context) {
        raw = Unmanaged.passRetained(context).toOpaque()  // doubt
    }
    func fire() {
        guard let raw else { return }
        Unmanaged<Context>.fromOpaque(raw).takeUnretainedValue().calls += 1
    }
    func unregister() { raw = nil }
}
func run() {
    let registration = Registration()
    registration.register(Context())
    registration.fire()
    registration.unregister()
}
run()
