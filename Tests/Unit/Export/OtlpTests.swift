import Foundation
import GameprofTestSupport
import Testing

@testable import GameprofAnalysis
@testable import GameprofCheck

/// The numbers of fields are those of opentelemetry-proto 1.10.0.
struct OtlpTests {
    private let profile = TimeFixture.game.profile().only(.computing)

    private func decoded(_ profiles: [Profile]) throws -> OtlpReader {
        try OtlpReader(
            Data(OtlpExport.request(profiles, attributes: ["service.name": "game", "version": "1.2 ü"])))
    }

    @Test("a request has the samples, stacks and threads of pprof, a profile for each of its values")
    func agreesWithPprof() throws {
        let otlp = try decoded([profile])
        let pprof = try PprofReader(PprofExport.render(profile))
        #expect(otlp.profiles.map(\.type) == ["samples count", "cpu nanoseconds"])
        for (profile, name) in zip(otlp.profiles, ["samples", "cpu"]) {
            let sent = profile.samples.map { "\($0.functions) \($0.thread) \($0.value)" }
            let expected = pprof.samples.map { "\($0.functions) \($0.labels["thread"] ?? "") \($0.values[name] ?? 0)" }
            #expect(!sent.isEmpty && sent.sorted() == expected.sorted())
            #expect(profile.begin == self.profile.startUnixNanoseconds && profile.nanoseconds == self.profile.wall)
            #expect(profile.period == self.profile.period)
        }
        #expect(otlp.resource == ["service.name": "game", "version": "1.2 ü"])
    }

    @Test("the first entry of each table is empty, and none comes twice")
    func tables() throws {
        let otlp = try decoded([profile, profile])
        #expect(otlp.profiles.count == 4)
        for table: UInt64 in [1, 2, 3, 5, 6, 7] {
            let rows = otlp.dictionary.fields(table).map { Array($0.content) }
            #expect(rows.first == [] && Set(rows).count == rows.count, "table \(table)")
        }
        let link = otlp.dictionary.fields(4).map(\.message)
        #expect(link.map { $0.fields(1).first?.content.count } == [16])
        #expect(link.map { $0.fields(2).first?.content.count } == [8])
    }
}

/// A request of OTLP with every index followed.
struct OtlpReader {
    struct Sample {
        /// Innermost first.
        var functions: [String]
        var thread: String
        var value: UInt64
    }

    struct Profile {
        var type: String
        var samples: [Sample]
        var begin: UInt64
        var nanoseconds: UInt64
        var period: UInt64
    }

    var resource: [String: String] = [:]
    var profiles: [Profile] = []
    var dictionary: ProtobufReader

    init(_ data: Data) throws {
        func number(_ message: ProtobufReader, _ field: UInt64) -> Int { Int(message.fields(field).first?.number ?? 0) }
        let request = ProtobufReader(data)
        let dictionary = try #require(request.fields(2).first?.message)
        self.dictionary = dictionary
        func table(_ field: UInt64) -> [ProtobufReader] { dictionary.fields(field).map(\.message) }
        let (locations, functions, attributes, stacks) = (table(2), table(3), table(6), table(7))
        let strings = dictionary.fields(5).map(\.text)
        let group = try #require(request.fields(1).first?.message)
        for attribute in try #require(group.fields(1).first?.message).fields(1).map(\.message) {
            resource[try #require(attribute.fields(1).first?.text)] =
                attribute.fields(2).first?.message.fields(1).first?
                .text
        }
        for profile in try #require(group.fields(2).first?.message).fields(2).map(\.message) {
            let samples = try profile.fields(2).map(\.message).map { sample in
                let stack = stacks[number(sample, 1)].fields(1).first?.packed ?? []
                let names = stack.map { location in
                    let line = locations[Int(location)].fields(3).first?.message
                    return strings[number(functions[line.map { number($0, 1) } ?? 0], 1)]
                }
                let thread = attributes[Int(try #require(sample.fields(2).first?.packed.first))]
                #expect(strings[number(thread, 1)] == "thread.name")
                return Sample(
                    functions: names, thread: try #require(thread.fields(2).first?.message.fields(1).first?.text),
                    value: try #require(sample.fields(4).first?.packed.first))
            }
            let type = try #require(profile.fields(1).first?.message)
            profiles.append(
                Profile(
                    type: "\(strings[number(type, 1)]) \(strings[number(type, 2)])", samples: samples,
                    begin: UInt64(number(profile, 3)), nanoseconds: UInt64(number(profile, 4)),
                    period: UInt64(number(profile, 6))))
        }
    }
}
