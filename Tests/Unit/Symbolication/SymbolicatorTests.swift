import Foundation
import GameprofBasics
import Testing

@testable import GameprofTrace

/// A function of this very test program, to be found again by its address: it returns one inside itself.
@inline(never)
func landmark() -> UInt64 { Thread.callStackReturnAddresses[1].uint64Value - 1 }

/// This program as a recorded image: its start in memory is read from the system's map.
private func ownImage(buildID: [UInt8]? = nil) throws -> (record: ImageRecord, address: UInt64) {
    let address = landmark()
    let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8).split(separator: "\n").map {
        $0.split(separator: " ", maxSplits: 5)
    }
    let bounds = maps.map { line in line[0].split(separator: "-").compactMap { UInt64($0, radix: 16) } }
    let own = try #require(bounds.firstIndex { $0[0] <= address && address < $0[1] })
    let path = maps[own][5].trimmingCharacters(in: .whitespaces)
    let base = try #require(
        maps.indices.first { maps[$0].count > 5 && maps[$0][5].hasSuffix(path) }.map { bounds[$0][0] })
    let file = try ELFFile(path: path)
    let record = ImageRecord(
        path: path, bias: base, start: base, end: base + (1 << 30), buildID: buildID ?? file.buildID)
    return (record, address)
}

/// The first address that has the same name as `address`.
private func functionStart(of address: UInt64, in image: ImageRecord) throws -> UInt64? {
    let symbols = ELFSymbols(try ELFFile(path: image.path))
    let name = symbols.name(at: address - image.bias)
    return (0..<4096).map { address - $0 }.last { symbols.name(at: $0 - image.bias) == name }
}

private func symbolicator(_ image: ImageRecord, symbolizer: Symbolizer?) -> Symbolicator {
    var recording = Recording()
    recording.images.add(image)
    recording.frames.add(FrameRecord(id: FrameID(1), parent: .none, pc: 0))
    return Symbolicator(recording: recording, symbolizer: symbolizer)
}

@Test func theSymbolizerGivesFunctionFileAndLine() throws {
    let own = try ownImage()
    let path = try #require(SymbolizerLocator.find())
    let frame = try #require(symbolicator(own.record, symbolizer: path).function(at: own.address))
    #expect(frame.function.contains("landmark"))
    #expect(frame.file?.hasSuffix("SymbolicatorTests.swift") == true)
    #expect(frame.line != nil)
}

@Test func theSymbolTableServesWithoutASymbolizer() throws {
    let own = try ownImage()
    let frame = try #require(symbolicator(own.record, symbolizer: nil).function(at: own.address))
    #expect(frame.function.contains("landmark"))
    #expect(frame.file == nil)
}

/// A stripped program has no names, but its functions begin and end somewhere.
@Test func functionsBeginWhereTheCallFrameInformationSays() throws {
    let own = try ownImage()
    let functions = ELFFunctions(try ELFFile(path: own.record.path))
    let start = try #require(try functionStart(of: own.address, in: own.record))
    #expect(functions.start(of: own.address - own.record.bias) == start - own.record.bias)
    #expect(functions.start(of: start - own.record.bias) == start - own.record.bias)
    #expect(functions.start(of: start - own.record.bias - 1) != start - own.record.bias)
    #expect(functions.start(of: 1) == nil)
    #expect(functions.start(of: 1 << 46) == nil)
}

@Test func aBrokenSymbolizerIsLikeNone() throws {
    let own = try ownImage()
    for path in ["/bin/false", "/bin/echo", "/nonexistent"] {
        let frame = try #require(symbolicator(own.record, symbolizer: Symbolizer(path: path)).function(at: own.address))
        #expect(frame.function.contains("landmark"))
    }
}

/// A symbolizer in shell: every address has a function with a line, and the second crashes it.
private let crashing = #"""
    #!/bin/sh
    ulimit -c >"$0.core"
    while read -r address; do
        if [ "$address" = 0x2000 ]; then kill -SEGV $$; fi
        printf '{"Address":"%s","Symbol":[{"FileName":"/Game.swift","FunctionName":"f%s","Line":7,' \
            "$address" "$address"
        echo '"StartAddress":"0x10","StartFileName":"/Game.swift","StartLine":5}]}'
    done
    """#

@Test("an address that crashes the symbolizer costs no other its line, and no core file is written")
func crashingAddress() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "gameprof-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let script = folder.appending(path: "symbolizer")
    try Data(crashing.utf8).write(to: script)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script.path)
    var before = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &before)
    var most = rlimit(rlim_cur: before.rlim_max, rlim_max: before.rlim_max)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &most)
    defer { setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &before) }
    let symbolizer = LLVMSymbolizer(path: script.path)
    let located = try #require(symbolizer.locations(of: [0x1000, 0x2000, 0x3000], in: "/game"))
    #expect(located.map { $0.first?.symbol } == ["f0x1000", nil, "f0x3000"])
    #expect(located.map { $0.first?.line } == [7, nil, 7])
    #expect(try String(contentsOf: URL(filePath: script.path + ".core"), encoding: .utf8) == "0\n")
    // Other tests start helpers at the same time, each of which lowers the limit for a moment.
    var after = rlimit()
    for _ in 0..<1000 where after.rlim_cur != most.rlim_cur {
        getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &after)
        usleep(1_000)
    }
    #expect(after.rlim_cur == most.rlim_cur)
}

@Test("code without a line of its own stands where its function is declared, or nowhere")
func linelessCode() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "gameprof-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let script = folder.appending(path: "symbolizer")
    // An initialiser that was inlined: its lines of code and of declaration, and what becomes of them.
    for (line, declared, expected) in [(0, 0, nil), (0, 56, 56), (60, 56, 60)] as [(Int, Int, Int?)] {
        let file = declared == 0 ? "" : "/Game.swift"
        let answer = """
            {"Address":"0x20","Symbol":[{"FileName":"/Game.swift","FunctionName":"f","Line":\(line),\
            "StartAddress":"0x10","StartFileName":"\(file)","StartLine":\(declared)},\
            {"FileName":"/Game.swift","FunctionName":"g","Line":81,"StartAddress":"0x8","StartFileName":"","StartLine":0}]}
            """
        try Data("#!/bin/sh\necho '\(answer)'\n".utf8).write(to: script)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script.path)
        let located = LLVMSymbolizer(path: script.path).locations(of: [0x20], in: "/game")
        #expect(located?.first?.map(\.line) == [expected, 81])
        #expect(located?.first?.first?.file == expected.map { _ in "/Game.swift" })
    }
}

@Test func anImageOfAnotherBuildGivesNoNames() throws {
    let own = try ownImage(buildID: [1, 2, 3])
    let names = symbolicator(own.record, symbolizer: SymbolizerLocator.find())
    let frame = try #require(names.function(at: own.address))
    #expect(frame.function.contains("+0x"))
    #expect(names.problems.count == 1)
    #expect(names.problems[0].contains("was rebuilt after the recording"))
}

@Test func returnAddressesAreLookedUpOneByteBack() throws {
    let own = try ownImage()
    var recording = Recording()
    recording.images.add(own.record)
    let start = try #require(try functionStart(of: own.address, in: own.record))
    recording.frames.add(FrameRecord(id: FrameID(1), parent: .none, pc: start))
    recording.frames.add(FrameRecord(id: FrameID(2), parent: .none, pc: start + 1))
    recording.frames.add(FrameRecord(id: FrameID(3), parent: .none, pc: start, isExact: true))
    let names = Symbolicator(recording: recording, symbolizer: nil)
    names.prepare(stacks: [StackID(1), StackID(2), StackID(3)], addresses: [])
    let functions = (1...3).map { names.stack(StackID($0)).frames.last?.function ?? "" }
    #expect(!functions[0].contains("landmark"))
    #expect(functions[1].contains("landmark"))
    #expect(functions[2].contains("landmark"))
}

@Test func anAddressOutsideEveryImageHasNoFunction() throws {
    let own = try ownImage()
    let names = symbolicator(own.record, symbolizer: nil)
    #expect(names.function(at: 0x10) == nil)
    #expect(names.function(at: 0) == nil)
    #expect(names.stack(.none).frames.isEmpty)
}

@Test func `the rest of a function that calls its specialization is left out of a stack`() {
    let body = SymbolicatedFrame(function: "Game.make()", module: "Game", file: "/Game.swift", line: 5)
    let rest = SymbolicatedFrame(function: "Game.make()", module: "Game", isInlined: true)
    let caller = SymbolicatedFrame(function: "Game.play()", module: "Game", file: "/Game.swift", line: 2)
    #expect(SymbolicatedStack(joining: [body, rest, caller], isTruncated: false).frames == [body, caller])
    // A recursion has lines, and is no inlined one.
    #expect(SymbolicatedStack(joining: [body, body, caller], isTruncated: false).frames == [body, body, caller])
}
