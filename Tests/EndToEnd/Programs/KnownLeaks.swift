// What libraries lose by themselves, with nothing of the program's own in it: a case for each entry of the known-leak list
// but XCTest's.
import Dispatch
import Foundation
import FoundationNetworking
import FoundationXML

@main enum Program {
    static func main() { run(cases) }
}

@inline(never) func attributedStrings() {
    let text = NSMutableAttributedString(string: "a text with attributes")
    text.addAttribute(NSAttributedString.Key("weight"), value: 3, range: NSRange(location: 2, length: 4))
    text.append(NSAttributedString(string: " and more", attributes: [NSAttributedString.Key("slant"): 1]))
    touch((text.string, text.attributes(at: 3, effectiveRange: nil).count))
    touch(NSAttributedString(attributedString: text).attributedSubstring(from: NSRange(location: 1, length: 2)).string)
}
@inline(never) func timers() {
    let timer = Timer.scheduledTimer(withTimeInterval: 0.01, repeats: true) { touch($0.timeInterval) }
    let once = Timer(fire: Date(timeIntervalSinceNow: 0.01), interval: 0, repeats: false) { touch($0.fireDate) }
    RunLoop.main.add(once, forMode: .common)
    RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.05))
    timer.invalidate()
    RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.02))
    touch(Timer(timeInterval: 1, repeats: true) { touch($0) }.isValid)
}
@inline(never) func timersInRunLoops() {
    let timer = Timer(timeInterval: 0.01, repeats: true) { touch($0.timeInterval) }
    RunLoop.main.add(timer, forMode: .default)
    RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.03))
    timer.invalidate()
}
@inline(never) func xmlDocuments() {
    let document = try? XMLDocument(xmlString: "<game><player name='a'>1</player><player/></game>", options: [])
    touch(document?.rootElement()?.children?.count)
    touch(document?.xmlString(options: .nodePrettyPrint))
    let root = XMLElement(name: "game")
    for number in 0..<3 {
        let player = XMLElement(name: "player", stringValue: "number \(number)")
        if let name = XMLNode.attribute(withName: "name", stringValue: "a") as? XMLNode { player.addAttribute(name) }
        root.addChild(player)
    }
    touch((XMLDocument(rootElement: root).xmlString, try? XMLDocument(xmlString: "<a><b>", options: [])))
}
@inline(never) func urlSessions() {
    let session = URLSession(configuration: .ephemeral)
    let done = DispatchSemaphore(value: 0)
    // Nobody listens at port 9 of this machine; the answer is an error, and it comes at once.
    session.dataTask(with: URL(string: "http://127.0.0.1:9/")!) { _, _, error in
        touch(error?.localizedDescription)
        done.signal()
    }.resume()
    _ = done.wait(timeout: .now() + 10)
    session.finishTasksAndInvalidate()
    usleep(50_000)
}
@inline(never) func caches() {
    let cache = NSCache<NSString, NSNumber>()
    for number in 0..<20 { cache.setObject(NSNumber(value: number), forKey: "key number \(number)" as NSString) }
    touch(cache.object(forKey: "key number 3"))
}
@inline(never) func unreadablePropertyLists() {
    touch((try? NSKeyedUnarchiver(forReadingFrom: Data())) == nil)
}

// What follows loses nothing on the toolchain that the list was made with.

@inline(never) func emptiedCache() {
    let cache = NSCache<NSString, NSNumber>()
    for number in 0..<20 { cache.setObject(NSNumber(value: number), forKey: "key number \(number)" as NSString) }
    cache.removeAllObjects()
}
@inline(never) func xmlParser() {
    final class Delegate: NSObject, XMLParserDelegate {
        var elements = 0
        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) { elements += 1 }
    }
    let parser = XMLParser(data: Data("<game><player name='a'/><player/></game>".utf8))
    let delegate = Delegate()
    parser.delegate = delegate
    touch((parser.parse(), delegate.elements))
}
@inline(never) func notificationCenter() {
    let name = Notification.Name("moved")
    let token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { touch($0.name) }
    NotificationCenter.default.post(name: name, object: nil)
    NotificationCenter.default.removeObserver(token)
    let queued = NotificationCenter.default.addObserver(forName: name, object: nil, queue: OperationQueue()) {
        touch($0.name)
    }
    NotificationCenter.default.post(name: name, object: nil, userInfo: ["from": 1])
    NotificationCenter.default.removeObserver(queued)
}
@inline(never) func requests() {
    var request = URLRequest(url: URL(string: "https://example.com/a?b=c")!)
    request.httpMethod = "POST"
    request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
    request.httpBody = Data("a body".utf8)
    let response = HTTPURLResponse(
        url: request.url!, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: ["Set-Cookie": "a=b"])
    let cookies = HTTPCookie.cookies(
        withResponseHeaderFields: response?.allHeaderFields as? [String: String] ?? [:], for: request.url!)
    let cache = URLCache(memoryCapacity: 10_000, diskCapacity: 0, diskPath: nil)
    touch((cookies.count, cache.currentMemoryUsage, request.allHTTPHeaderFields?.count))
}
@inline(never) func dispatch() {
    let queue = DispatchQueue(label: "serial", target: DispatchQueue(label: "target", attributes: .concurrent))
    let group = DispatchGroup()
    let semaphore = DispatchSemaphore(value: 0)
    let signals = DispatchSource.makeSignalSource(signal: SIGWINCH, queue: queue)
    signals.setEventHandler { touch(1) }
    signals.resume()
    signals.cancel()
    let data = DispatchSource.makeUserDataAddSource(queue: queue)
    data.setEventHandler { semaphore.signal() }
    data.activate()
    data.add(data: 3)
    semaphore.wait()
    data.cancel()
    let item = DispatchWorkItem { touch(2) }
    item.notify(queue: queue) { semaphore.signal() }
    queue.async(group: group, execute: item)
    semaphore.wait()
    let cancelled = DispatchWorkItem { touch(3) }
    cancelled.cancel()
    queue.async(execute: cancelled)
    queue.sync(flags: .barrier) { touch(4) }
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    let io = DispatchIO(type: .stream, fileDescriptor: ends[1], queue: queue) { _ in semaphore.signal() }
    io.write(
        offset: 0, data: [UInt8](repeating: 1, count: 100).withUnsafeBytes { DispatchData(bytes: $0) }, queue: queue
    ) { done, _, _ in if done { semaphore.signal() } }
    semaphore.wait()
    io.close()
    semaphore.wait()
    _ = group.wait(timeout: .now() + 1)
    queue.asyncAfter(deadline: .now() + 0.001) { semaphore.signal() }
    semaphore.wait()
}
@inline(never) func runtime() {
    struct Pair<A, B> {
        var a: A
        var b: B
    }
    touch(Mirror(reflecting: Pair(a: [1: "one"], b: Pair(a: 1 as Any, b: nil as Int?))).children.map { "\($0)" })
    touch(String(describing: Pair<[String: Int], (Int, Pair<Float, Character>)>.self))
    touch((\Pair<[Int], String>.b.count as AnyKeyPath).hashValue)
    touch([1, "two", 3.0] as [Any])
    touch((["a": 1] as Any as? [String: any Hashable])?.count)
    struct Failure: Error { var reason = String(repeating: "because ", count: 5) }
    for _ in 0..<10 { do { throw Failure() } catch { touch("\(error)") } }
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        let (stream, feed) = AsyncStream.makeStream(of: String.self)
        feed.yield("a text that is long enough for the heap")
        feed.finish()
        for await text in stream { touch(text) }
        let sum = await withTaskGroup(of: Int.self) { group in
            for number in 0..<20 { group.addTask { number } }
            return await group.reduce(0, +)
        }
        touch((sum, await withCheckedContinuation { $0.resume(returning: 4) }))
        let cancelled = Task { try await Task.sleep(for: .seconds(100)) }
        cancelled.cancel()
        _ = try? await cancelled.value
        done.signal()
    }
    done.wait()
}
nonisolated(unsafe) var waiting: [Task<Void, Never>] = []
@inline(never) func droppedContinuations() {
    for _ in 0..<4 { waiting.append(Task.detached { await withCheckedContinuation { _ in } }) }
    usleep(100_000)
}

let cases: Cases = [
    "attributed-strings": attributedStrings, "timers": timers, "timers-in-run-loops": timersInRunLoops,
    "xml-documents": xmlDocuments, "url-sessions": urlSessions, "caches": caches,
    "unreadable-property-lists": unreadablePropertyLists, "dropped-continuations": droppedContinuations,
    "emptied-cache": emptiedCache, "xml-parser": xmlParser, "notification-center": notificationCenter,
    "requests": requests, "dispatch": dispatch, "runtime": runtime,
]
