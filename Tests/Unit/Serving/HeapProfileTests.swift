import Foundation
import GameprofTestSupport
import Testing

@testable import InstrumentationServing

@Suite struct HeapProfileTests {
    private static func figures(rows: Int) -> HeapFigures {
        let rows = (0..<rows).map { index -> HeapFigures.Row in
            let size = Double(index + 1)
            let live = SampleSum(samples: 1, observed: 1, count: 1, bytes: size)
            let freed = SampleSum(samples: 2, observed: 2, count: 2, bytes: 2 * size)
            return HeapFigures.Row(stack: UInt32(index % 7), type: "T\(index)", live: live, freed: freed)
        }
        let all = rows.reduce(SampleSum()) { $0 + $1.live + $1.freed }
        return HeapFigures(mean: 512, allocated: all, rows: rows, unreachable: nil)
    }

    /// The address of a function of this process, as the stack of every number.
    private static func frames(_ stack: UInt32) -> [UInt64] {
        let names: [String] = stack == 0 ? [] : ["malloc", "swift_retain", "getenv"]
        return names.map { UInt64(UInt(bitPattern: dlsym(nil, $0))) }
    }

    @Test func allocatedAndLiveStandBesideEachOther() throws {
        let bytes = HeapProfile.encode(Self.figures(rows: 10), shown: .live, frames: Self.frames)
        let profile = try PprofReader(Data(bytes))
        #expect(profile.valueNames == ["alloc_objects", "alloc_space", "inuse_objects", "inuse_space"])
        #expect(profile.shown == "inuse_space")
        #expect(profile.period == 512)
        #expect(profile.sum("inuse_space") == 55 && profile.sum("alloc_space") == 165)
        #expect(profile.sum("inuse_objects") == 10 && profile.sum("alloc_objects") == 30)
        #expect(Set(profile.samples.compactMap { $0.labels["type"] }).count == 10)
        #expect(profile.comments.count == 3)
    }

    @Test func theInnerFunctionsOfTheRuntimeAreLeftOut() throws {
        let bytes = HeapProfile.encode(Self.figures(rows: 7), shown: .allocated, frames: Self.frames)
        let profile = try PprofReader(Data(bytes))
        #expect(profile.shown == "alloc_space")
        #expect(profile.samples.filter { $0.functions == ["getenv"] }.count == 6)
        #expect(profile.samples.filter { $0.functions == ["(stack not known)"] }.count == 1)
        for place in profile.places {
            let mapping = profile.mappings[place.mapping]
            #expect(mapping.start <= place.address && place.address < mapping.end)
        }
    }

    @Test func rowsBeyondTheLimitAreAddedUp() throws {
        let count = HeapProfile.rowsMost + 100
        let figures = Self.figures(rows: count)
        let profile = try PprofReader(Data(HeapProfile.encode(figures, shown: .live, frames: { _ in [] })))
        #expect(profile.samples.count == HeapProfile.rowsMost + 1)
        #expect(profile.sum("inuse_space") == UInt64(count * (count + 1) / 2))
        #expect(profile.samples.filter { $0.labels["type"] == "(other)" }.map { $0.values["inuse_space"] } == [5050])
    }

    @Test func whatLivesIsAPictureOfAMomentAndWhatWasAllocatedHasADuration() throws {
        let moment = Date(timeIntervalSince1970: 1000)
        var figures = Self.figures(rows: 10)
        figures.rows[0].live = SampleSum()
        let live = try PprofReader(Data(#require(HeapProfile.encodeLive(figures, at: moment, frames: Self.frames))))
        #expect(live.valueNames == ["inuse_objects", "inuse_space"] && live.shown == "inuse_space")
        #expect(live.samples.count == 9 && live.sum("inuse_space") == 54 && live.sum("inuse_objects") == 9)
        #expect(live.unixNanoseconds == 1_000_000_000_000 && live.nanoseconds == 0)
        let rows = [AllocationDelta.Row(stack: 1, type: "T", count: 2, bytes: 30)]
        let allocated = try PprofReader(
            Data(
                #require(
                    HeapProfile.encodeAllocated(rows, mean: 7, begun: moment, nanoseconds: 9, frames: Self.frames))))
        #expect(allocated.valueNames == ["alloc_objects", "alloc_space"] && allocated.period == 7)
        #expect(allocated.samples.map(\.values) == [["alloc_objects": 2, "alloc_space": 30]])
        #expect(allocated.samples.map(\.labels) == [["type": "T"]])
        #expect(allocated.unixNanoseconds == 1_000_000_000_000 && allocated.nanoseconds == 9)
    }

    @Test func aProfileOfNothingIsNone() {
        let figures = HeapFigures(mean: 7, allocated: SampleSum(), rows: [], unreachable: nil)
        #expect(HeapProfile.encodeLive(figures, at: Date(), frames: Self.frames) == nil)
        #expect(HeapProfile.encodeAllocated([], mean: 7, begun: Date(), nanoseconds: 9, frames: Self.frames) == nil)
    }

    @Test func cpuTimeIsCountedInNanoseconds() throws {
        let bytes = CPUProfile.encode(
            [(stack: 1, samples: 5), (stack: 0, samples: 2)], period: 1_000_000, begun: Date(), nanoseconds: 9,
            frames: Self.frames)
        let profile = try PprofReader(Data(bytes))
        #expect(profile.valueNames == ["samples", "cpu"])
        #expect(profile.sum("samples") == 7 && profile.sum("cpu") == 7_000_000)
    }
}
