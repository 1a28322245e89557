/// Modules that come with the toolchain.
package enum SystemModules {
    /// The runtime's own: their functions stand between the user's without a call in the source.
    package static let runtime: Set<String> = [
        "Swift", "_Concurrency", "_StringProcessing", "_RegexParser", "Builtin",
    ]

    /// What the user calls but did not write.
    package static let library: Set<String> = [
        "Foundation", "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking",
        "FoundationXML", "Dispatch", "Observation", "Synchronization", "_RegexBuilder", "RegexBuilder", "Glibc",
        "Musl", "XCTest", "Testing", "_TestingInternals", "Distributed", "Cxx", "CoreFoundation", "SwiftOnoneSupport",
        "_DarwinFoundation",
    ]

    /// Modules of types: objects of theirs are folded in a path, so that the user's stand out.
    package static let all = runtime.union(library).union([
        "_Differentiation", "__C", "CxxStdlib", "_Volatile", "Runtime",
    ])
}

/// Files of the runtime, of the toolchain's libraries and of libc, by the beginning of their names.
package enum SystemImages {
    package static let runtime = ["libswift", "libGameRecorder"]

    /// Those of the runtime whose functions without a name in Swift are only called by the compiler.
    package static let plumbing = ["libGameRecorder", "libswiftCore", "libswift_Concurrency"]

    package static let library = [
        "lib_FoundationICU", "libFoundation", "libdispatch", "libBlocksRuntime", "libc.so", "libc-", "libm.so",
        "libpthread", "libdl.so", "librt.so", "libstdc++", "libgcc_s", "ld-linux", "linux-vdso", "libXCTest",
        "libTesting", "libicu", "libcurl", "libxml2", "libz.so",
    ]

    /// Loader, libc and the kernel's own.
    package static let loader = ["ld-linux", "ld-2", "libc.so", "libc-", "linux-vdso"]

    package static func isOne(_ image: String, of names: [String]) -> Bool { names.contains(where: image.hasPrefix) }
}
