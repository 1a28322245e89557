import CTraceFormat
import Foundation
import GameprofBasics
import GameprofTestSupport
import Testing

@testable import GameprofTrace
@testable import gameprof

/// `GP_EACH_INSTRUMENT` of the trace's format is the list of the instruments. Each other list is a copy, for the reason that
/// its reader cannot see that header.
@Suite("Lists of the instruments")
struct InstrumentListTests {
    /// Name and number of the bit, as the trace's format has them.
    private static let list: [String: Int] = {
        let text = source("Sources/Recorder/TraceFormat/include/TraceFormat.h")
        return bits(in: text, #/_\([A-Z]+, ([a-z]+), ([0-9]+), /#)
    }()

    private static func source(_ path: String) -> String {
        (try? String(contentsOf: Repository.file(path), encoding: .utf8)) ?? ""
    }

    private static func bits(in text: String, _ row: Regex<(Substring, Substring, Substring)>) -> [String: Int] {
        Dictionary(text.matches(of: row).map { (String($0.1), Int($0.2) ?? -1) }) { first, _ in first }
    }

    @Test("the tool knows the instruments of the trace's format, and their bits")
    func tool() {
        #expect(Set(Self.list.values) == Set(0..<Self.list.count))
        #expect(Set(Instrument.allCases.map(\.rawValue)) == Set(Self.list.keys))
        for instrument in Instrument.allCases {
            #expect(Self.list[instrument.rawValue].map { UInt32(1) << $0 } == instrument.bit)
        }
    }

    @Test("a program that links the recorder can ask for each, in a build that records and in one that does not")
    func linked() {
        let records = Self.source("Sources/Instrumentation/Core/Instrumentation.swift")
        #expect(Self.bits(in: records, #/static let ([a-z]+) = Instruments\(rawValue: 1 << ([0-9]+)\)/#) == Self.list)
        let off = Self.source("Sources/Instrumentation/Off/include/InstrumentationOff.h")
        #expect(Self.bits(in: off, #/swift_name\("([a-z]+)"\)\)\) = 1u << ([0-9]+)/#) == Self.list)
    }

    @Test("each is a command of the tool and of the package plugin")
    func commands() throws {
        let commands = GameProf.configuration.subcommands.map { $0.configuration.commandName }
        #expect(Set(Self.list.keys).isSubset(of: commands.compactMap { $0 }))
        let plugin = Self.source("Plugins/GameProf/plugin.swift")
        let words = try #require(plugin.firstMatch(of: #/let commands = \[([^\]]*)\]/#)).1
        #expect(Set(words.matches(of: #/"([a-z]+)"/#).map { String($0.1) }) == Set(Self.list.keys))
    }
}
