// The tool's reader of ELF files: headers, build id, symbols, where functions begin.
// Sources: Sources/Profiler/Symbolication/ELFFile.swift Sources/Profiler/Symbolication/ELFSymbols.swift Sources/Profiler/Symbolication/ELFFunctions.swift
import Foundation

/// A file without a name; in memory where the system has such a folder.
private let file: Int32 = {
    let shared = "/dev/shm"
    var template = Array("\(access(shared, W_OK) == 0 ? shared : "/tmp")/gameprof-fuzz-XXXXXX".utf8CString)
    let file = mkstemp(&template)
    unlink(template)
    return file
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzELFReader(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    precondition(ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == size)
    do {
        let elf = try ELFFile(path: "/proc/self/fd/\(file)")
        precondition(elf.buildID.count <= 64)
        for kind in [ELFSymbols.Kind.functions, .variables] {
            let symbols = ELFSymbols(elf, of: kind)
            for address: UInt64 in [0, 0x1150, 0x4020, .max] { _ = symbols.name(at: address) }
            _ = symbols.addresses(of: ["main", "work"])
        }
        let functions = ELFFunctions(elf)
        for address: UInt64 in [0, 0x650, 0x1150, .max] { _ = functions.start(of: address) }
    } catch {
        precondition(!"\(error)".isEmpty)
    }
    return 0
}
