// The tool's reader of ELF files: headers, build id, symbols, where functions begin.
// Sources: Sources/Profiler/Basics
import Foundation

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzELFReader(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    do {
        let elf = try ELFFile(Data(bytes: data, count: size), path: "fuzz")
        precondition(elf.buildID.count <= 64)
        for kind in [ELFSymbols.Kind.functions, .variables] {
            let symbols = ELFSymbols(elf, of: kind)
            for address: UInt64 in [0, 0x1150, 0x4020, .max] { _ = symbols.name(at: address) }
            for start in symbols.addresses(of: ["main", "work"]).values { _ = symbols.end(of: start) }
        }
        _ = (elf.debugLink, elf.hasDebugInformation, elf.hasSymbolTable)
        let functions = ELFFunctions(elf)
        for address: UInt64 in [0, 0x650, 0x1150, .max] { _ = functions.start(of: address) }
    } catch {
        precondition(!"\(error)".isEmpty)
    }
    return 0
}
