/// Tells the user's code from the library's and the runtime's, by the module of the function and by the image, so that
/// a program with a static standard library is told apart too.
enum FrameClassifier {
    private static let runtimeModules: Set = ["Swift", "_Concurrency", "_StringProcessing", "_RegexParser", "Builtin"]
    private static let libraryModules: Set = [
        "Foundation", "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking",
        "FoundationXML", "Dispatch", "Observation", "Synchronization", "_RegexBuilder", "RegexBuilder", "Glibc",
        "Musl", "XCTest", "Testing", "_TestingInternals", "Distributed", "Cxx", "CoreFoundation", "SwiftOnoneSupport",
        "_DarwinFoundation", "ArgumentParser",
    ]
    private static let runtimeImages = ["libswift", "libGameCapture"]
    private static let libraryImages = [
        "lib_FoundationICU", "libFoundation", "libdispatch", "libBlocksRuntime", "libc.so", "libc-", "libm.so",
        "libpthread", "libdl.so", "librt.so", "libstdc++", "libgcc_s", "ld-linux", "linux-vdso", "libXCTest",
        "libTesting", "libicu", "libcurl", "libxml2", "libz.so",
    ]
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

    /// Whose code the function is.
    static func origin(of name: SymbolName, image: String, symbol: String) -> FrameOrigin {
        if runtimeModules.contains(name.module) { return .runtime }
        if libraryModules.contains(name.module) { return .library }
        if runtimeImages.contains(where: image.hasPrefix) { return .runtime }
        if libraryImages.contains(where: image.hasPrefix) { return .library }
        if name.isGlue { return .runtime }
        guard name.module.isEmpty else { return .user }
        if runtimePrefixes.contains(where: symbol.hasPrefix) { return .runtime }
        if libraryFunctions.contains(symbol) || libraryPrefixes.contains(where: symbol.hasPrefix) { return .library }
        return .user
    }
}
