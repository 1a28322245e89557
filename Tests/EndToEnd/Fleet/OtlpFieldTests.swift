import Foundation
import GameprofTestSupport
import Testing

/// `gameprof push --store experimental-otlp`, decoded by the published messages of OpenTelemetry for Python.
@Suite(.enabled(if: LongTests.field)) struct OtlpFieldTests {
    /// Made by `Scripts/field-test`.
    private static let python = Products.package.appending(path: ".build/field-python/bin/python")

    /// Prints each profile of a request, with every index followed.
    private static let decode = """
        import json, sys
        from google.protobuf.unknown_fields import UnknownFieldSet
        from opentelemetry.proto.collector.profiles.v1development import profiles_service_pb2
        request = profiles_service_pb2.ExportProfilesServiceRequest()
        request.ParseFromString(open(sys.argv[1], "rb").read())
        def unknown(message):
            parts = [value for field, value in message.ListFields() if field.message_type]
            return len(UnknownFieldSet(message)) + sum(
                unknown(one) for value in parts for one in (value if hasattr(value, "__len__") else [value]))
        d = request.dictionary
        s = d.string_table
        for table in (d.mapping_table, d.location_table, d.function_table, d.attribute_table, d.stack_table):
            assert table[0].ByteSize() == 0
        assert s[0] == "" and len(set(s)) == len(s)
        group, = request.resource_profiles
        scope, = group.scope_profiles
        def sample(one):
            frames = [s[d.function_table[line.function_index].name_strindex]
                for location in d.stack_table[one.stack_index].location_indices
                for line in d.location_table[location].lines]
            attributes = [d.attribute_table[index] for index in one.attribute_indices]
            value, = one.values
            return {"functions": frames, "value": value,
                "attributes": {s[a.key_strindex]: a.value.string_value for a in attributes}}
        print(json.dumps({
            "unknown": unknown(request),
            "resource": {a.key: a.value.string_value for a in group.resource.attributes},
            "scope": scope.scope.name,
            "profiles": [{
                "type": s[p.sample_type.type_strindex], "unit": s[p.sample_type.unit_strindex],
                "begin": p.time_unix_nano, "nanoseconds": p.duration_nano, "period": p.period,
                "samples": [sample(one) for one in p.samples]} for p in scope.profiles]}))
        """

    private struct Decoded: Decodable {
        struct Profile: Decodable {
            struct Sample: Decodable {
                var functions: [String]
                var value: UInt64
                var attributes: [String: String]
            }
            var type: String
            var unit: String
            var begin: UInt64
            var nanoseconds: UInt64
            var period: UInt64
            var samples: [Sample]
        }
        /// Fields that the messages do not have.
        var unknown: Int
        var resource: [String: String]
        var scope: String
        var profiles: [Profile]
    }

    @Test("the published messages decode what is sent, with the figures of pprof")
    func decodes() throws {
        let folder = try TemporaryFolder()
        let program = Products.GameLabBuild.debug.executable.path
        let recording = try Command.run(
            Products.gameprof,
            [
                "record", "--instruments", "allocations,time", "--output", "game.gptrace", "--quiet", "--", program,
                "fault", "compute-sum", "--presses", "11",
            ], directory: folder.url)
        #expect(recording.status == 0, "\(recording.error)")
        func push(_ arguments: String...) throws -> [TestStore.Request] {
            let store = try TestStore()
            let run = try Command.run(
                Products.gameprof, ["push", "game.gptrace", "--to", store.url, "--label", "env=test"] + arguments,
                environment: ["http_proxy": nil], directory: folder.url)
            #expect(run.status == 0, "\(run.error)")
            return try store.rest()
        }
        let request = try #require(try push("--store", "experimental-otlp", "--label", "service_name=game").first)
        #expect(request.path == "/v1development/profiles")
        #expect(request.headers["Content-Type"] == "application/x-protobuf")
        try request.body.write(to: folder.url.appending(path: "request"))
        let run = try Command.run(Self.python, ["-c", Self.decode, "request"], directory: folder.url)
        #expect(run.status == 0, "\(run.error)")
        let decoded = try JSONDecoder().decode(Decoded.self, from: Data(run.output.utf8))
        #expect(decoded.unknown == 0 && decoded.scope == "gameprof")
        #expect(decoded.resource == ["service.name": "game", "env": "test"])
        let pprof = try push().map { try PprofReader($0.body) }
        #expect(pprof.count == 3 && decoded.profiles.count == 6)
        for (index, profile) in decoded.profiles.enumerated() {
            let expected = pprof[index / 2]
            #expect(profile.type == expected.valueNames[index % 2])
            #expect(profile.unit == (index % 2 == 0 ? "count" : index == 1 ? "nanoseconds" : "bytes"))
            #expect(profile.begin == expected.unixNanoseconds && profile.nanoseconds == expected.nanoseconds)
            #expect(profile.period == expected.period)
            let sent = profile.samples.map { "\($0.functions) \($0.attributes) \($0.value)" }
            let stored = expected.samples.map { sample -> String in
                let attributes = ["thread.name": sample.labels["thread"] ?? ""]
                return "\(sample.functions) \(attributes) \(sample.values[profile.type] ?? 0)"
            }
            #expect(!sent.isEmpty && sent.sorted() == stored.sorted(), "\(profile.type)")
            #expect(profile.samples.contains { $0.functions.count > 2 })
        }
    }
}
