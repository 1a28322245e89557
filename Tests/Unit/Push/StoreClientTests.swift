import Foundation
import GameprofBasics
import Testing

@testable import InstrumentationPush

@Suite struct StoreClientTests {
    /// A task of a URLSession that was invalidated would end the program.
    @Test("nothing is sent after the end, whether or not something was sent before", arguments: [false, true])
    func cancelled(afterRequest: Bool) {
        let client = StoreClient()
        // Nothing listens there.
        let request = StoreRequest(url: "http://127.0.0.1:1/ingest", headers: [], body: Data())
        let cancelled = StoreAnswer.failure(URLError.Code.cancelled.rawValue)
        if afterRequest { #expect(client.post(request, seconds: 30) != cancelled) }
        client.cancel()
        #expect(client.post(request, seconds: 30) == cancelled)
    }
}
