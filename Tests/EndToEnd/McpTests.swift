import Foundation
import Testing

/// `gameprof mcp`: an agent's conversation over standard input and output.
@Suite struct McpTests {
    /// The answers to some requests, in order.
    private static func answers(to requests: [String]) throws -> [[String: Any]] {
        let folder = try TemporaryFolder()
        let script = folder.url.appending(path: "requests")
        try requests.joined(separator: "\n").write(to: script, atomically: true, encoding: .utf8)
        let result = try Command.run(
            URL(filePath: "/bin/sh"), ["-c", "exec \"$0\" mcp < \"$1\"", Products.gameprof.path, script.path],
            directory: folder.url)
        #expect(result.status == 0 && result.error.isEmpty, "\(result.error)")
        return try result.output.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any], "\($0)")
        }
    }

    private static func call(_ id: Int, _ tool: String, _ arguments: [String: Any]) throws -> String {
        let request: [String: Any] = [
            "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": ["name": tool, "arguments": arguments],
        ]
        return String(decoding: try JSONSerialization.data(withJSONObject: request), as: UTF8.self)
    }

    private static func text(_ answer: [String: Any]) throws -> (text: String, isError: Bool) {
        let result = try #require(answer["result"] as? [String: Any], "\(answer)")
        let content = try #require((result["content"] as? [[String: Any]])?.first)
        return (try #require(content["text"] as? String), result["isError"] as? Bool ?? false)
    }

    @Test func `a client learns the tools and what they take`() throws {
        let answers = try Self.answers(to: [
            #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{}}}"#,
            #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            #"{"jsonrpc":"2.0","id":"two","method":"tools/list"}"#,
            #"{"jsonrpc":"2.0","id":3,"method":"ping"}"#,
        ])
        #expect(answers.count == 3, "a notification is not answered")
        #expect((answers[0]["result"] as? [String: Any])?["protocolVersion"] as? String == "2025-03-26")
        #expect(answers[1]["id"] as? String == "two")
        let tools = try #require((answers[1]["result"] as? [String: Any])?["tools"] as? [[String: Any]])
        #expect(tools.compactMap { $0["name"] as? String } == ["record", "look", "report", "why", "tasks", "diff"])
        #expect(tools.allSatisfy { ($0["inputSchema"] as? [String: Any])?["type"] as? String == "object" })
    }

    @Test func `a recorded leak is told, and the kept trace is reported and compared`() throws {
        let lab = Products.GameLabBuild.release.executable.path
        let folder = try TemporaryFolder()
        let trace = folder.url.appending(path: "a.gptrace").path
        let answers = try Self.answers(to: [
            try Self.call(
                1, "record", ["instrument": "leaks", "program": [lab, "fault", "undo-cycle"], "trace": trace]),
            try Self.call(2, "report", ["trace": trace, "part": "findings"]),
            try Self.call(3, "diff", ["before": trace, "after": trace]),
            try Self.call(4, "why", ["type": "Board", "program": [lab, "fault", "undo-cycle"]]),
            try Self.call(5, "tasks", ["program": ["/bin/true"]]),
        ])
        let texts = try answers.map(Self.text)
        #expect(texts.allSatisfy { !$0.isError && $0.text.utf8.count <= 24_000 }, "\(texts)")
        for text in texts[0...1] { #expect(text.text.contains("retain-cycle"), "\(text)") }
        #expect(texts[0].text.contains("\"exitCode\":1"))
        let findings = try #require(
            try JSONSerialization.jsonObject(with: Data(texts[1].text.utf8)) as? [String: Any])
        #expect((findings["findings"] as? [Any])?.count == 1)
    }

    @Test func `what cannot be answered is refused, and the conversation goes on`() throws {
        let answers = try Self.answers(to: [
            "no JSON", #"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#,
            try Self.call(2, "record", ["instrument": "spells", "program": ["/bin/true"]]),
            try Self.call(3, "record", ["instrument": "leaks"]),
            try Self.call(4, "look", ["instrument": "leaks", "pid": -1]),
            try Self.call(5, "report", ["trace": "/nowhere.gptrace"]),
            try Self.call(6, "report", ["trace": "a", "--html": "b"]),
            try Self.call(7, "tasks", ["program": ["/bin/true"], "part": "spells"]),
            #"{"jsonrpc":"2.0","id":8,"method":"ping"}"#,
        ])
        let codes = answers.map { ($0["error"] as? [String: Any])?["code"] as? Int }
        #expect(codes == [-32700, -32601, -32602, -32602, -32602, nil, -32602, nil, nil])
        #expect(try Self.text(answers[5]).isError && Self.text(answers[7]).isError)
        #expect(try Self.text(answers[5]).text.contains("/nowhere.gptrace"))
        #expect(try Self.text(answers[7]).text.contains("The result has no part spells; it has"))
    }
}
