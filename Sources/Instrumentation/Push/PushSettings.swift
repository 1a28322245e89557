import Foundation
import GameprofBasics

/// What is sent where.
struct PushSettings {
    var url: String
    var store = BackgroundPush.Store.pyroscope
    var service: String?
    var labels: [String: String] = [:]
    var token: String?
    var seconds = 15.0

    /// Of the environment; nil: it asks for nothing.
    init?(environment: [String: String]) throws(BackgroundPush.ConfigurationError) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        guard let url = value("GAMEPROF_PUSH_TO") else { return nil }
        self.url = url
        service = value("GAMEPROF_PUSH_SERVICE")
        token = value("GAMEPROF_PUSH_TOKEN")
        if let name = value("GAMEPROF_PUSH_STORE") {
            guard let store = BackgroundPush.Store(rawValue: name) else {
                throw .init(description: "GAMEPROF_PUSH_STORE must be pyroscope or parca.")
            }
            self.store = store
        }
        if let text = value("GAMEPROF_PUSH_SECONDS") {
            guard let seconds = Double(text) else {
                throw .init(description: "GAMEPROF_PUSH_SECONDS must be a number of seconds.")
            }
            self.seconds = seconds
        }
        do {
            let texts = (value("GAMEPROF_PUSH_LABELS") ?? "").split(separator: ",").map(String.init)
            labels = try StoreLabels.parse(texts)
        } catch {
            throw .init(description: error.description)
        }
    }

    init(
        url: String, store: BackgroundPush.Store, service: String?, labels: [String: String], token: String?,
        seconds: Double
    ) {
        (self.url, self.store, self.service) = (url, store, service)
        (self.labels, self.token, self.seconds) = (labels, token, seconds)
    }

    func work() throws(BackgroundPush.ConfigurationError) -> PushWork {
        guard (1...3600).contains(seconds) else {
            throw .init(description: "Profiles are sent every 1 to 3600 seconds.")
        }
        var labels = labels
        if labels["host"] == nil, let host = Self.host { labels["host"] = host }
        do {
            let destination = try StoreDestination(
                url, store: store == .parca ? .parca : .pyroscope, service: service ?? Self.program, labels: labels,
                headers: try StoreToken.headers(token))
            return PushWork(destination, interval: seconds)
        } catch {
            throw .init(description: error.description)
        }
    }

    private static var program: String {
        CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "program"
    }

    /// Without a question to a name server; nil: it has none.
    private static var host: String? {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0, name[0] != 0 else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
