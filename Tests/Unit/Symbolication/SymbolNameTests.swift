import Foundation
import GameprofTestSupport
import Testing

@testable import GameprofBasics
@testable import GameprofTrace

@Test(arguments: [
    ("$s4Game6PuzzleC4tilt2to11countOffsetSbSi_SitF", "Puzzle.tilt(to:countOffset:)", "Game"),
    ("$s4Game6PuzzleC4tilt2to11countOffsetSbSi_SitFyycfU_", "closure #1 in Puzzle.tilt(to:countOffset:)", "Game"),
    ("$s4GameyyXEfU_", "closure #1 in main", "Game"),
    ("$s4Game6PuzzleC4dealyyFZ", "static Puzzle.deal()", "Game"),
    ("$s4Game6PuzzleC4dealyyFZTm", "static Puzzle.deal()", "Game"),
    ("$s4Game6PuzzleC4nameACSgSS_tcfC", "Puzzle.init(name:)", "Game"),
    ("$s4Game4MainV4mainyyYaFZTf4d_nTQ1_", "static Main.main()", "Game"),
    ("$sSa1aAA6PuzzleCRszlE4eachyyF", "Array<A>.each()", "a"),
    ("$ss27_finalizeUninitializedArrayySayxGABnlF", "_finalizeUninitializedArray<A>(_:)", "Swift"),
    ("$s003Jca0018Innerx_tgaEGJCFbhaCACycfC", "`Inner x`.init()", "é"),
    ("$s04TestA00018Innerx_tgaEGJCFbhaCACycfC", "`Inner x`.init()", "TestTest"),
    (
        "$s8RawNames0023Boardv12_niaGDJCGcqpakaC0034playthegameinx_DnadecAFEJFhyaEFiua0022howmanyin_ijaeJIIDHdlaySi_tFyycfU_",
        "closure #1 in `Board v1.2`.`play the (game) in x`(`how many in`:)", "RawNames"
    ),
    ("$s8RawNames0023Boardv12_niaGDJCGcqpakaC3zzloiyyAC_SitFZ", "static `Board v1.2`...< infix(_:_:)", "RawNames"),
    (
        "$sSa8RawNamesE0023Inarrayx_kiaJDJCGcqpakaC0011mex_ikEpxheyXlSgvg", "Array.`In array.x`.`me.x`.getter",
        "RawNames"
    ),
    ("async_MainTQ0_", "main", ""),
    ("malloc", "malloc", ""),
])
func namesAreDemangledAndFreedOfNoise(symbol: String, function: String, module: String) {
    let name = SymbolName(symbol: symbol)
    #expect(name.function == function)
    #expect(name.module == module)
}

@Test(
    "whether a closure's caller gets a value from it",
    arguments: [
        ("$s4main5ModelCACycfcSiycfU_TA", true), ("$s4main4FormCACycfcSbSScfU_", true),
        ("$s4main9UploadJobC8scheduleyyFyycfU_", false), ("$s4main4FormCACycfc", false), ("malloc", false),
    ])
func results(symbol: String, returnsValue: Bool) {
    #expect(SymbolName(symbol: symbol).returnsValue == returnsValue)
}

@Test(arguments: [
    ("closure #1 (() -> ()) -> () in A.f() -> Swift.Int", false),
    ("closure #2 <A>(A) throws -> [A] in A.f() -> ()", true),
    ("closure #1 () -> () -> Swift.Int in A.f() -> ()", true),
    ("closure #1 () async -> Swift.Never in A.f() -> ()", false),
    ("implicit closure #1 in A.f() -> Swift.Int", false),
])
func resultsOfClosures(name: String, returnsValue: Bool) {
    #expect(FunctionName.closureReturnsValue(name) == returnsValue)
}

@Test(
    "copies and specialisations of a closure's code name the closure",
    arguments: [(String, String?)]([
        ("$s1a4joinyyFyycfU_TA", "$s1a4joinyyFyycfU_"), ("$s1a4joinyyFyycfU0_TA.31", "$s1a4joinyyFyycfU0_"),
        ("$s1a4joinyyFyycfU_Tf4nn_gTA.2", "$s1a4joinyyFyycfU_"), ("$s1a4joinyyFyycfU_TATQ0_", nil), ("malloc.1", nil),
    ]))
func forwarders(symbol: String, closure: String?) {
    #expect(ClosureSymbol.closure(ofForwarder: symbol) == closure)
    guard let closure else { return }
    for body in [closure, closure + ".cold.1", closure + ".llvm.123", closure + "Tf4nn_g", closure + "Tf4nn_g.5"] {
        #expect(ClosureSymbol.closure(ofBody: body) == closure)
    }
    for other in ["$s4Game13load_TfLiteyyF", "$s4Game4playyyFyycfU_Tf4nn_gTA.2"] {
        #expect(ClosureSymbol.closure(ofBody: other) == String(other.prefix { $0 != "." }))
    }
}

@Test func forwardersAndWitnessesNameTheirFunctionAndAreGlue() {
    let forwarder = SymbolName(symbol: "$s1a3BoxV3set_2atxx_SitFxxcfU_TA")
    #expect(forwarder.function == "closure #1 in Box.set(_:at:)")
    #expect(forwarder.isGlue)
    let witness = SymbolName(symbol: "$s1a6PuzzleCAA1PA2aDP2goyS2iKFTW")
    #expect(witness.function == "P.go(_:)")
    #expect(witness.isGlue)
}

@Test(arguments: [
    ("$s4Game6PuzzleC4dealyyFZ", "game", FrameOrigin.user),
    ("$ss27_finalizeUninitializedArrayySayxGABnlF", "game", .runtime),
    ("swift_allocObject", "game", .runtime),
    ("swift::swift_slowAlloc(unsigned long, unsigned long)", "game", .runtime),
    ("$s10Foundation4DataVACycfC", "libFoundation.so", .library),
    ("whatever", "libc.so.6", .library),
    ("malloc", "game", .library),
    ("$s19GameInstrumentation5ProbeO5frameyyFZ", "game", .runtime),
    ("leak_some_memory", "game", .user),
])
func framesAreToldApartByModuleAndImage(symbol: String, image: String, origin: FrameOrigin) {
    #expect(FrameClassifier.origin(of: SymbolName(symbol: symbol), image: image, symbol: symbol) == origin)
}

/// The user's C functions may be called like those of the runtime and of CoreFoundation: they have a source file.
@Test(arguments: ["gp_draw_cards", "swift_shuffle", "CFBoardMake", "std::sort_cards()", "_dispatch_cards"])
func aPrefixMakesNoFunctionWithASourceFileTheRuntimes(symbol: String) {
    let name = SymbolName(symbol: symbol)
    let file = "/home/me/Game/cards.c"
    #expect(FrameClassifier.origin(of: name, image: "game", symbol: symbol, file: file) == .user)
    #expect(!FrameClassifier.isRuntimeSupport(name, image: "game", symbol: symbol, file: file))
    #expect(FrameClassifier.origin(of: name, image: "game", symbol: symbol) != .user)
    #expect(FrameClassifier.origin(of: name, image: "libdispatch.so", symbol: symbol, file: file) != .user)
    let recorder = "/build/checkouts/GameProfiler/Sources/Recorder/Unwind/memo.c"
    #expect(FrameClassifier.origin(of: name, image: "game", symbol: symbol, file: recorder) != .user)
}

@Test(
    "the functions of a linked recorder are known by their files, a user's target of the same name is not taken for it")
func theRecordersFunctionsAreKnownByTheirFiles() throws {
    let floors = try FileManager.default.contentsOfDirectory(atPath: Repository.file("Sources/Recorder").path)
    for floor in floors where floor != "Preload" {
        #expect(FrameClassifier.isRecorder(file: "/build/checkouts/GameProfiler/Sources/Recorder/\(floor)/memo.c"))
    }
    #expect(!FrameClassifier.isRecorder(file: "/home/me/Game/Sources/Game/memo.c"))
    #expect(!FrameClassifier.isRecorder(file: "/home/me/Game/Sources/Recorder/Tape.swift"))
    #expect(!FrameClassifier.isRecorder(file: "/home/me/Game/Sources/Recorder/tape.c"))
    #expect(!FrameClassifier.isRecorder(file: nil))
}
