/// Tells the user's code from the library's and the runtime's, by the module of the function and by the image, so that
/// a program with a static standard library is told apart too.
package enum FrameClassifier {
    private static let runtimeModules = SystemModules.runtime.union(["GameInstrumentation"])
    private static let libraryModules = SystemModules.library.union([
        "ArgumentParser", "InstrumentationServing", "InstrumentationPush",
    ])
    private static let runtimePrefixes = [
        "swift::", "swift_", "_swift_", "__swift_", "gp_", "_gp_", "(anonymous namespace)::swift_",
    ]
    private static let libraryPrefixes = [
        "_dispatch_", "dispatch_", "_dl_", "__libc_", "CF", "_CF", "__CF", "std::", "operator new", "operator delete",
        "__cxa_", "_Block_", "icu_",
    ]
    private static let libraryFunctions: Set = [
        "malloc", "calloc", "realloc", "reallocarray", "free", "posix_memalign", "aligned_alloc", "memalign", "valloc",
        "_start", "start_thread", "clone3", "clone", "__clone3", "_init", "_fini", "strdup", "__strdup",
    ]

    /// Whose code the function is. `file`: its source, where debug information names one. What a function is called says
    /// something of its origin only where its source is not known: the runtime is built without debug information, and the
    /// user's C functions may begin with `CF` or `swift_` too.
    package static func origin(of name: SymbolName, image: String, symbol: String, file: String? = nil) -> FrameOrigin {
        let isC = isUsers(file) && !Demangler.isSwift(symbol)
        if isC, !isLibrary(image), !SystemImages.isOne(image, of: SystemImages.runtime) { return .user }
        if runtimeModules.contains(name.module) { return .runtime }
        if libraryModules.contains(name.module) { return .library }
        if SystemImages.isOne(image, of: SystemImages.runtime) { return .runtime }
        if isLibrary(image) { return .library }
        if name.isGlue { return .runtime }
        guard name.module.isEmpty else { return .user }
        if runtimePrefixes.contains(where: symbol.hasPrefix) { return .runtime }
        // C++ templates are shown with the type that they return.
        if name.function.prefix(while: { $0 != "(" && $0 != "<" }).contains(" swift::") { return .runtime }
        if libraryFunctions.contains(symbol) || libraryPrefixes.contains(where: symbol.hasPrefix) { return .library }
        return .user
    }

    private static func isLibrary(_ image: String) -> Bool { SystemImages.isOne(image, of: SystemImages.library) }

    /// Folders of the recorder's sources, which a program may link.
    /// Floors by name: a package of the user's may have a folder Sources/Recorder.
    private static let recorderFolders = [
        "Arch", "Blocks", "CFI", "Control", "Files", "Interface", "Interpose", "Leaks", "Modules", "OS", "Probes",
        "Retains",
        "SwiftABI", "Time", "Trace", "TraceFormat", "Unwind", "Zombies",
    ].map { "/Sources/Recorder/\($0)/" }

    /// Whether the source file is one of the recorder's.
    package static func isRecorder(file: String?) -> Bool {
        guard let file, file.hasSuffix(".c") || file.hasSuffix(".h") else { return false }
        return recorderFolders.contains(where: file.contains)
    }

    private static let plumbingFunctions: Set = [
        "malloc", "calloc", "realloc", "reallocarray", "free", "cfree", "posix_memalign", "aligned_alloc", "memalign",
        "valloc", "malloc_usable_size", "memcpy", "memmove", "memset", "memcmp", "bcmp", "_int_malloc", "_int_free",
        "_int_realloc", "sysmalloc", "malloc_consolidate", "unlink_chunk", "__tls_get_addr",
        // The linkage table stands behind these two, and has no symbols of its own.
        "_init", "_fini",
    ]
    private static let plumbingPrefixes = [
        "__libc_malloc", "__libc_calloc", "__libc_realloc", "__libc_free", "__libc_memalign", "__mem", "tcache_",
        "operator new", "operator delete", "_dl_runtime_resolve", "_dl_fixup", "_dl_tlsdesc", "__swift_",
    ]

    /// Whether a source file is neither the recorder's nor what the compiler made.
    private static func isUsers(_ file: String?) -> Bool {
        file.map { !isRecorder(file: $0) && !$0.hasSuffix("<compiler-generated>") } ?? false
    }

    /// Whether the function is one that runtime and compiler put between the user's: see `SymbolicatedFrame.isRuntimeSupport`.
    /// Functions of the standard library that have a name in Swift are not.
    package static func isRuntimeSupport(_ name: SymbolName, image: String, symbol: String, file: String? = nil) -> Bool
    {
        if name.isGlue { return true }
        if Demangler.isSwift(symbol) { return false }
        if SystemImages.isOne(image, of: SystemImages.plumbing) { return true }
        if symbol.isEmpty { return SystemImages.isOne(image, of: SystemImages.loader) }
        if isUsers(file), !isLibrary(image) { return false }
        return plumbingFunctions.contains(symbol) || plumbingPrefixes.contains(where: symbol.hasPrefix)
            || runtimePrefixes.contains(where: symbol.hasPrefix)
    }
}
