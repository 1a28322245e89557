import GameprofBasics
import GameprofTrace

/// How a report calls a root, and what is known of where it stands.
struct RootNames {
    let symbolicator: any Symbolicating
    /// Names of the program's threads, by number.
    var threads: [ThreadID: String] = [:]
    /// The main thread's number; none: not known.
    var main = ThreadID.none

    func root(_ root: HeapRoot) -> HeldBy.Root {
        var result = HeldBy.Root(kind: HeldBy.Root.Kind(root.kind), name: "")
        if !root.thread.isNone { result.thread = thread(root.thread) }
        switch root.kind {
        case .global: nameGlobal(&result, at: root.address)
        case .stack: nameLocal(&result, pc: root.pc)
        case .register: result.name = local(nil, in: result)
        case .threadLocal: result.name = "thread-local storage" + inThread(result)
        case .runtime: result.name = "the dynamic linker"
        case .mapped: result.name = "mapped memory"
        case .kernel: result.name = "an epoll set or a timer of the kernel"
        }
        if !root.label.isEmpty { result.name = root.label }
        return result
    }

    /// Whether it is a variable of libc's own.
    func isLibcs(_ root: HeapRoot) -> Bool {
        root.kind == .global && symbolicator.variable(at: root.address)?.image.hasPrefix("libc.so") == true
    }

    /// Equal in every run of a program, unlike the address: variables of the program's come first.
    func order(_ root: HeapRoot) -> String {
        guard root.kind == .global, let variable = symbolicator.variable(at: root.address) else {
            return "2 \(root.kind) \(root.label)"
        }
        return "\(variable.origin == .user ? 0 : 1) \(variable.image) \(variable.name)"
    }

    private func thread(_ id: ThreadID) -> String {
        if id == main { return "main" }
        let name = threads[id] ?? ""
        return name.isEmpty ? "\(id.rawValue)" : name
    }

    private func inThread(_ root: HeldBy.Root) -> String { root.thread.map { " of thread \($0)" } ?? "" }

    private func nameGlobal(_ root: inout HeldBy.Root, at address: UInt64) {
        guard let variable = symbolicator.variable(at: address) else {
            root.name = "a global variable"
            return
        }
        root.image = variable.image
        if variable.name.isEmpty {
            root.name = "a global variable of \(variable.image)"
        } else {
            root.name = variable.origin == .user ? variable.name : "\(variable.name) of \(variable.image)"
        }
    }

    private func nameLocal(_ root: inout HeldBy.Root, pc: UInt64) {
        let frame = pc == 0 ? nil : symbolicator.function(at: pc - 1)
        root.function = frame?.function
        root.file = frame?.file
        root.line = frame?.line
        root.name = local(frame, in: root)
    }

    /// Functions inside the runtime, or inside a library, say less than the thread.
    private func local(_ frame: SymbolicatedFrame?, in root: HeldBy.Root) -> String {
        let function = frame.map { FunctionName.display($0.function) } ?? ""
        let isKnown =
            frame?.origin == .user
            || frame?.origin == .library && !function.hasPrefix("_") && !FunctionName.isPlace(function)
        guard isKnown else { return "a local variable" + inThread(root) }
        return "a local variable in \(function)" + (root.thread == "main" ? "" : inThread(root))
    }
}

extension HeldBy.Root.Kind {
    init(_ kind: HeapRoot.Kind) {
        switch kind {
        case .global: self = .global
        case .stack: self = .stack
        case .register: self = .register
        case .threadLocal: self = .threadLocal
        case .runtime: self = .runtime
        case .mapped: self = .mapped
        case .kernel: self = .kernel
        }
    }
}
