// A plugin: its classes come into a program that runs already.
class Plugged {
    var name: String
    init(_ name: String) { self.name = name + " and a name that does not fit into a word" }
    func greet() -> Int { name.utf8.count }
}

@_cdecl("plugin_make") public func make() -> UnsafeMutableRawPointer {
    Unmanaged.passRetained(Plugged("plugin")).toOpaque()
}

@_cdecl("plugin_use") public func use(_ address: UnsafeMutableRawPointer) -> Int {
    Unmanaged<Plugged>.fromOpaque(address)._withUnsafeGuaranteedRef { $0.greet() }
}

@_cdecl("plugin_release") public func release(_ address: UnsafeMutableRawPointer) {
    Unmanaged<Plugged>.fromOpaque(address).release()
}
