// A test program of XCTest's as SwiftPM would make one. What it loses is XCTest's.
import XCTest

final class GameTests: XCTestCase {
    func testExpectations() {
        let moved = expectation(description: "moved")
        DispatchQueue.global().async { moved.fulfill() }
        wait(for: [moved], timeout: 10)
        addTeardownBlock { XCTAssertTrue(true) }
    }

    func testPredicatesAndNotifications() {
        let name = Notification.Name("moved")
        let posted = expectation(forNotification: name, object: nil, handler: nil)
        NotificationCenter.default.post(name: name, object: nil)
        wait(for: [posted], timeout: 10)
    }

    func testMeasure() {
        measure { XCTAssertEqual((0..<1_000).reduce(0, +), 499_500) }
    }

    func testAsync() async throws {
        try await Task.sleep(nanoseconds: 1_000)
        XCTAssertNotNil(try XCTUnwrap([1].first))
    }

    func testSkipped() throws {
        throw XCTSkip("not today")
    }

    static let allTests =
        [
            ("testExpectations", testExpectations),
            ("testPredicatesAndNotifications", testPredicatesAndNotifications),
            ("testMeasure", testMeasure),
            ("testAsync", asyncTest(testAsync)),
            ("testSkipped", testSkipped),
        ] as [(String, (GameTests) -> () throws -> Void)]
}

@main enum Program {
    static func main() {
        XCTMain([testCase(GameTests.allTests)])
    }
}
