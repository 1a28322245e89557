import Testing

@testable import InstrumentationPush

@Suite struct PushSettingsTests {
    private static let usual = ["GAMEPROF_PUSH_TO": "http://localhost:4040"]

    private func settings(_ added: [String: String]) throws -> PushSettings? {
        try PushSettings(environment: Self.usual.merging(added) { $1 })
    }

    @Test("without an address nothing is asked for", arguments: [nil, ""])
    func unasked(address: String?) throws {
        var environment = ["GAMEPROF_PUSH_SERVICE": "game"]
        environment["GAMEPROF_PUSH_TO"] = address
        #expect(try PushSettings(environment: environment) == nil)
    }

    @Test("the address alone suffices")
    func address() throws {
        let settings = try #require(try settings([:]))
        #expect(settings.url == "http://localhost:4040" && settings.store == .pyroscope && settings.seconds == 15)
        #expect(settings.service == nil && settings.labels.isEmpty && settings.token == nil)
        _ = try settings.work()
    }

    @Test("the environment names store, service, labels, token and interval")
    func everything() throws {
        let settings = try #require(
            try settings([
                "GAMEPROF_PUSH_STORE": "parca", "GAMEPROF_PUSH_SERVICE": "game", "GAMEPROF_PUSH_TOKEN": "secret",
                "GAMEPROF_PUSH_LABELS": "version=1.2,env=a=b", "GAMEPROF_PUSH_SECONDS": "2.5",
            ]))
        #expect(settings.store == .parca && settings.service == "game" && settings.token == "secret")
        #expect(settings.labels == ["version": "1.2", "env": "a=b"] && settings.seconds == 2.5)
    }

    @Test(
        "what cannot be sent is refused in a sentence",
        arguments: [
            ["GAMEPROF_PUSH_TO": "store:4040"], ["GAMEPROF_PUSH_STORE": "bucket"], ["GAMEPROF_PUSH_LABELS": "version"],
            ["GAMEPROF_PUSH_LABELS": "a-b=c"], ["GAMEPROF_PUSH_SERVICE": "a{b}"], ["GAMEPROF_PUSH_SECONDS": "soon"],
            ["GAMEPROF_PUSH_SECONDS": "0.5"], ["GAMEPROF_PUSH_SECONDS": "nan"], ["GAMEPROF_PUSH_TOKEN": "a\r\nb: c"],
        ])
    func refused(added: [String: String]) throws {
        let error = #expect(throws: BackgroundPush.ConfigurationError.self) { try settings(added)?.work() }
        #expect(error?.description.hasSuffix(".") == true)
    }
}
