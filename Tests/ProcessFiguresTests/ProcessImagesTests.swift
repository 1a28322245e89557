import Foundation
import Testing

@testable import GameprofProcessFigures

@Suite struct ProcessImagesTests {
    private static let maps = """
        55d0c0a00000-55d0c0a10000 r--p 00000000 08:01 1234                       /opt/my game/Game
        55d0c0a10000-55d0c0a80000 r-xp 00010000 08:01 1234                       /opt/my game/Game
        55d0c2000000-55d0c2021000 rw-p 00000000 00:00 0                          [heap]
        7f0000000000-7f0000001000 r-xp 00000000 00:00 0 
        7f2b3a000000-7f2b3a020000 r-xp 00000000 08:01 99                         /usr/lib/libx.so (deleted)
        7ffd00000000-7ffd00002000 r-xp 00000000 00:00 0                          [vdso]
        damaged
        7fff00000000-7ffe00000000 r-xp 00000000 00:00 0                          /reversed
        """

    @Test func codeOfFilesIsFoundByAddress() throws {
        let images = ProcessImages(maps: Self.maps)
        #expect(images.mappings.map(\.path) == ["/opt/my game/Game", "/usr/lib/libx.so (deleted)"])
        let index = try #require(images.index(of: 0x55d0_c0a1_0123))
        #expect(images.mappings[index].offset == 0x10000)
        #expect(images.beginning(of: "/opt/my game/Game") == 0x55d0_c0a0_0000)
        for outside: UInt64 in [0, 0x55d0_c0a0_0000, 0x55d0_c0a8_0000, 0x7f00_0000_0010, .max] {
            #expect(images.index(of: outside) == nil)
        }
    }

    @Test func aFunctionOfThisProcessHasItsName() throws {
        let images = ProcessImages.now()
        let lookup = FunctionLookup(images)
        let address = UInt64(UInt(bitPattern: dlsym(nil, "swift_retain")))
        let index = try #require(images.index(of: address))
        let function = try #require(lookup.function(at: address, mapping: index))
        #expect(function.name.hasSuffix("swift_retain"))
        #expect(function.isRuntimeSupport)
        #expect(images.mappings[index].path.hasSuffix("libswiftCore.so"))
        #expect(lookup.buildID(of: index).isEmpty == false)
    }

    @Test func aFileThatWasReplacedGivesNoNames() throws {
        let images = ProcessImages.now()
        let core = try #require(images.mappings.first { $0.path.hasSuffix("libswiftCore.so") })
        let other = try #require(images.mappings.first { $0.path.hasSuffix("libc.so.6") })
        let beginning = images.beginning(of: core.path)
        #expect(ImageFunctions(path: core.path, beginning: beginning, program: "") != nil)
        #expect(ImageFunctions(path: other.path, beginning: beginning, program: "") == nil)
        #expect(ImageFunctions(path: core.path + " (deleted)", beginning: beginning, program: "") == nil)
    }
}
