// Keeps drawings of any size until they are deleted, counts their bytes exactly, and shows both these counts and what the
// sampled heap estimates. Prints its port; ends by SIGTERM.
import GameInstrumentation
import Glibc
import Hummingbird
import InstrumentationServing
import Logging
import Synchronization

/// Live bytes as the program counts them itself: what is asked of the allocator for each object.
enum Exact {
    static let sheets = Atomic(0)
    static let strokes = Atomic(0)
    static let sheetCount = Atomic(0)
    static var lines: String {
        "exact Server.Sheet \(sheets.load(ordering: .relaxed))\n"
            + "exact Server.Stroke \(strokes.load(ordering: .relaxed))\n"
            + "count Server.Sheet \(sheetCount.load(ordering: .relaxed))\n"
    }
}

/// One block: the object, its count, its bytes.
final class Sheet: ManagedBuffer<Int, UInt8> {
    static func make(_ size: Int) -> Sheet {
        let sheet = unsafeDowncast(Sheet.create(minimumCapacity: size) { _ in size }, to: Sheet.self)
        sheet.withUnsafeMutablePointerToElements { $0.initialize(repeating: 1, count: size) }
        Exact.sheets.add(bytes(size), ordering: .relaxed)
        Exact.sheetCount.add(1, ordering: .relaxed)
        return sheet
    }
    static func bytes(_ size: Int) -> Int { 16 + MemoryLayout<Int>.size + size }
    deinit {
        Exact.sheets.subtract(Self.bytes(header), ordering: .relaxed)
        Exact.sheetCount.subtract(1, ordering: .relaxed)
    }
}

/// One of many small objects.
final class Stroke {
    /// The object's two words, the place, the reference.
    static let bytes = 16 + 2 * MemoryLayout<Int>.size + MemoryLayout<Stroke?>.size
    var place = (0, 0)
    let next: Stroke?
    init(next: Stroke?) { self.next = next }
}

/// A sheet, and a stroke for each 200 bytes of it.
final class Picture {
    let sheet: Sheet
    private let strokes: [Stroke]

    init(size: Int) {
        sheet = Sheet.make(size)
        strokes = (0..<size / 200).map { _ in Stroke(next: nil) }
        Exact.strokes.add(strokes.count * Stroke.bytes, ordering: .relaxed)
    }
    deinit { Exact.strokes.subtract(strokes.count * Stroke.bytes, ordering: .relaxed) }
}

actor Drawings {
    private var all: [Int: Picture] = [:]
    private var next = 1

    func add(_ size: Int) -> Int {
        all[next] = Picture(size: size)
        next += 1
        return next - 1
    }
    func remove(_ id: Int) -> Bool { all.removeValue(forKey: id) != nil }
    func size(_ id: Int) -> Int? { all[id]?.sheet.header }
}

/// Tasks of three kinds: some wait for what the desk answers, some for what nobody can answer, one works.
actor Desk {
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func wait() async { await withCheckedContinuation { waiting.append($0) } }
    func answer() { if !waiting.isEmpty { waiting.removeFirst().resume() } }
    nonisolated func lose() async { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
    var count: Int { waiting.count }
}

/// Keeps a processor busy for a tenth of the time.
@inline(never) func spin() -> Int {
    let end = ContinuousClock.now + .milliseconds(2)
    var sum = 0
    while ContinuousClock.now < end { for number in 0..<10_000 { sum &+= number &* number } }
    return sum
}

struct Drawing: ResponseCodable {
    var id: Int
    var size: Int
}

struct NewDrawing: Decodable { var size: Int }

let drawings = Drawings()
let endpoints = Endpoints()
let router = Router()
router.post("drawings") { request, context -> EditedResponse<Drawing> in
    let size = try await request.decode(as: NewDrawing.self, context: context).size
    return EditedResponse(status: .created, response: Drawing(id: await drawings.add(size), size: size))
}
router.get("drawings/{id}") { _, context -> Drawing in
    let id = try context.parameters.require("id", as: Int.self)
    guard let size = await drawings.size(id) else { throw HTTPError(.notFound) }
    return Drawing(id: id, size: size)
}
router.delete("drawings/{id}") { _, context -> HTTPResponse.Status in
    await drawings.remove(try context.parameters.require("id", as: Int.self)) ? .noContent : .notFound
}
let desk = Desk()
router.post("waits") { _, _ -> HTTPResponse.Status in
    let before = await desk.count
    Task { await desk.wait() }
    while await desk.count == before { await Task.yield() }
    return .noContent
}
router.delete("waits") { _, _ -> HTTPResponse.Status in
    await desk.answer()
    return .noContent
}
router.post("losses") { _, _ -> HTTPResponse.Status in
    Task { await desk.lose() }
    return .noContent
}
router.post("spins") { _, _ -> HTTPResponse.Status in
    Task {
        while true {
            _ = spin()
            try await Task.sleep(for: .milliseconds(18))
        }
    }
    return .noContent
}
// Exact counts before and after the estimates: other requests go on in between.
router.get("figures") { _, _ -> Response in
    let before = Exact.lines
    let answer = await endpoints.respond(to: "/metrics")
    let text = before + Exact.lines + String(decoding: answer.body, as: UTF8.self)
    return Response(status: .ok, body: .init(byteBuffer: .init(string: text)))
}

var logger = Logger(label: "drawings")
logger.logLevel = .error
let application = Application(
    router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
    onServerRunning: { channel in
        print(channel.localAddress?.port ?? 0)
        fflush(nil)
    }, logger: logger)
try await application.runService()
