import Testing

@testable import InstrumentationServing

@Suite struct RouteTests {
    @Test func pathsAndQueriesAreRead() {
        #expect(Route("/debug/pprof") == .index)
        #expect(Route("/debug/pprof/heap?gc=1&debug=0") == .heap)
        #expect(Route("/debug/pprof/profile?seconds=5") == .profile(seconds: 5))
        #expect(Route("/debug/pprof/profile") == .profile(seconds: 30))
        #expect(Route("/metrics?x=%00&&=") == .metrics)
    }

    @Test(
        "what is not provided is refused with its reason",
        arguments: [
            ("/debug/pprof/heap?debug=1", 400), ("/debug/pprof/heap?seconds=5", 400),
            ("/debug/pprof/profile?seconds=0", 400), ("/debug/pprof/profile?seconds=301", 400),
            ("/debug/pprof/profile?seconds=99999999999999999999", 400), ("/debug/pprof/goroutine", 404), ("", 404),
            ("/metrics" + String(repeating: "x", count: 4096), 414),
        ])
    func refusals(target: String, status: Int) {
        guard case .refused(let given, let reason) = Route(target) else {
            Issue.record("\(target) was taken")
            return
        }
        #expect(given == status)
        #expect(reason.hasSuffix("."))
    }
}
