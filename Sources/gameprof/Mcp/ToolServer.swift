import Foundation

/// The messages of the Model Context Protocol that a server of tools needs: JSON-RPC 2.0, one object for each message.
struct ToolServer {
    typealias JSON = [String: Any]

    /// A request that cannot be answered: a code of JSON-RPC, and why.
    struct Refusal: Error {
        var code: Int
        var reason: String

        static func wrongParameters(_ reason: String) -> Refusal { Refusal(code: -32602, reason: reason) }
    }

    /// Versions of the protocol that these messages belong to, the newest first.
    private static let versions = ["2025-06-18", "2025-03-26", "2024-11-05"]

    var tools: [ProfilerTool]
    var version: String

    /// The answer to a message; nil: it is a notification, which nobody answers.
    func answer(to message: Data) -> Data? {
        guard let request = (try? JSONSerialization.jsonObject(with: message)) as? JSON else {
            return encoded([
                "id": NSNull(), "error": ["code": -32700, "message": "The message is no JSON object."] as JSON,
            ])
        }
        guard let id = request["id"], !(id is NSNull) else { return nil }
        do {
            let result = try result(of: request["method"] as? String ?? "", request["params"] as? JSON ?? [:])
            return encoded(["id": id, "result": result])
        } catch {
            return encoded(["id": id, "error": ["code": error.code, "message": error.reason] as JSON])
        }
    }

    private func encoded(_ values: JSON) -> Data? {
        try? JSONSerialization.data(
            withJSONObject: values.merging(["jsonrpc": "2.0"]) { own, _ in own },
            options: [.sortedKeys, .withoutEscapingSlashes])
    }

    private func result(of method: String, _ parameters: JSON) throws(Refusal) -> JSON {
        switch method {
        case "initialize":
            let wanted = parameters["protocolVersion"] as? String ?? ""
            return [
                "protocolVersion": Self.versions.contains(wanted) ? wanted : Self.versions[0],
                "capabilities": ["tools": [:] as JSON], "serverInfo": ["name": "gameprof", "version": version],
            ]
        case "ping": return [:]
        case "tools/list": return ["tools": tools.map(\.description)]
        case "tools/call":
            guard let tool = tools.first(where: { $0.name == parameters["name"] as? String }) else {
                throw .wrongParameters("There is no tool of that name.")
            }
            let answer = try tool.call(parameters["arguments"] as? JSON ?? [:])
            return ["content": [["type": "text", "text": answer.text]], "isError": answer.isError]
        default: throw Refusal(code: -32601, reason: "The method is not known.")
        }
    }
}
