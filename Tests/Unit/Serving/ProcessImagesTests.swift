import Foundation
import GameprofBasics
import Testing

@testable import InstrumentationServing

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
        let images = ProcessImages(maps: Self.maps, loaded: [])
        #expect(images.mappings.map(\.path) == ["/opt/my game/Game", "/usr/lib/libx.so (deleted)"])
        let index = try #require(images.index(of: 0x55d0_c0a1_0123))
        #expect(images.mappings[index].offset == 0x10000)
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
        let image = images.loaded[try #require(core.image)]
        #expect(ImageFunctions(path: core.path, image: image, program: "") != nil)
        #expect(ImageFunctions(path: other.path, image: image, program: "") == nil)
        #expect(ImageFunctions(path: core.path + " (deleted)", image: image, program: "") == nil)
    }

    private static let header = ELFFile.Segment(
        type: 1, flags: 5, offset: 0, address: 0, fileSize: 0x1000, memorySize: 0x1000)

    @Test("an image is where the loader has it, not where its file is mapped once more")
    func loadedImage() throws {
        let loaded = try #require(LoadedImage([Self.header], base: 0x7000_0000) { _, _ in nil })
        let maps = """
            10000000-10001000 r-xp 00000000 08:01 99 /usr/lib/libx.so
            70000000-70001000 r-xp 00000000 08:01 99 /usr/lib/libx.so
            """
        let images = ProcessImages(maps: maps, loaded: [loaded])
        #expect(images.mappings.map(\.image) == [nil, 0])
    }

    @Test("a file with another build id is not the loaded one, in whichever note it stands")
    func anotherBuildID() throws {
        let path = try #require(ProcessImages.now().mappings.first { $0.path.hasSuffix("libc.so.6") }?.path)
        let data = try Data(contentsOf: URL(filePath: path))
        let file = try ELFFile(data, path: path)
        func memory(_ address: UInt64, _ size: Int) -> [UInt8]? { Array(data[Int(address)..<Int(address) + size]) }
        let same = try #require(LoadedImage(file.segments, base: 0, read: memory))
        #expect(same.isLoaded(from: file))
        let identity = try #require(data.range(of: Data(file.buildID)))
        var other = data
        other[identity.lowerBound] ^= 1
        #expect(try !same.isLoaded(from: ELFFile(other, path: path)))
    }

    @Test("code whose symbols do not fit the bound has a build id and no names")
    func bound() throws {
        let images = ProcessImages.now()
        let core = try #require(images.mappings.first { $0.path.hasSuffix("libswiftCore.so") })
        let image = images.loaded[try #require(core.image)]
        let address = UInt64(UInt(bitPattern: dlsym(nil, "swift_retain")))
        func functions(_ most: Int) throws -> ImageFunctions {
            try #require(ImageFunctions(path: core.path, image: image, program: "", symbolBytesMost: most))
        }
        let place = address - core.start + core.offset
        let known = try functions(.max)
        #expect(known.symbol(at: place) != nil && known.symbolBytes > 0)
        let bounded = try functions(known.symbolBytes - 1)
        #expect(bounded.symbol(at: place) == nil && bounded.symbolBytes == 0)
        #expect(bounded.buildID == known.buildID)
    }
}
