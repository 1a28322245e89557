// A wide walk through Foundation that loses nothing of its own.
import Foundation
import Observation
import RegexBuilder

@main enum Program {
    static func main() { run(cases) }
}

struct Player: Codable, Hashable {
    var name: String
    var scores: [Int]
    var home: URL?
    var joined: Date
    var friends: [String: [String]]
}

@inline(never) func makePlayers() -> [Player] {
    (0..<20).map {
        Player(
            name: "a player with a long name, number \($0)", scores: Array(0..<$0),
            home: URL(string: "https://example.com/players/\($0)?sort=score#top"),
            joined: Date(timeIntervalSince1970: Double($0) * 86_400), friends: ["near": ["a", "b"], "far": []])
    }
}

@inline(never) func json() {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    encoder.dateEncodingStrategy = .iso8601
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    guard let data = try? encoder.encode(makePlayers()), let players = try? decoder.decode([Player].self, from: data)
    else { return }
    let object = try? JSONSerialization.jsonObject(with: data)
    touch((players, object))
    _ = try? decoder.decode([Int].self, from: Data("{broken".utf8))
}
@inline(never) func propertyList() {
    let data = try? PropertyListEncoder().encode(makePlayers())
    touch(data.flatMap { try? PropertyListDecoder().decode([Player].self, from: $0) })
}
@inline(never) func data() {
    var data = Data(count: 100_000)
    data.append(Data("some text that is appended".utf8))
    let slice = data[500..<90_000]
    touch(
        (slice.base64EncodedString().count, Data(base64Encoded: "SGVsbG8gd29ybGQ="), data.range(of: Data("text".utf8))))
}
@inline(never) func urls() {
    var components = URLComponents(string: "https://user@example.com:8080/a/b?x=1&y=2#frag")
    components?.queryItems?.append(URLQueryItem(name: "z", value: "grün & blau"))
    touch((components?.url, URL(filePath: "/a/b/../c").standardized, URL(string: "rel", relativeTo: components?.url)))
}
@inline(never) func dates() {
    let formatter = DateFormatter()
    formatter.dateFormat = "yyyy-MM-dd HH:mm"
    formatter.timeZone = TimeZone(identifier: "Europe/Berlin")
    formatter.locale = Locale(identifier: "de_DE")
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let day = Date(timeIntervalSince1970: 1_000_000_000)
    touch((formatter.string(from: day), formatter.date(from: "2024-02-29 12:00")))
    touch(calendar.dateComponents([.year, .month, .day, .weekday], from: day))
    touch(calendar.date(byAdding: .month, value: 3, to: day))
    touch((ISO8601DateFormatter().string(from: day), day.formatted(.iso8601)))
    touch(DateInterval(start: day, duration: 60))
}
@inline(never) func numbers() {
    let formatter = NumberFormatter()
    formatter.numberStyle = .currency
    formatter.locale = Locale(identifier: "en_GB")
    touch((formatter.string(from: 12_345.678), formatter.number(from: "£1.50")))
    touch((Decimal(string: "123.456"), NSDecimalNumber(string: "9.99").multiplying(by: 3)))
    touch(Measurement(value: 3, unit: UnitLength.kilometers).converted(to: .miles))
    touch((1_234.5.formatted(.number.precision(.fractionLength(2))), ByteCountFormatter().string(fromByteCount: 5_000)))
}
@inline(never) func expressions() {
    let text = "The year 2024 had 366 days and 12 months"
    touch(text.matches(of: #/(\w+) (\d+)/#).map { ($0.1, $0.2) })
    let builder = Regex {
        Capture { OneOrMore(.digit) }
        " "
        Capture { OneOrMore(.word) }
    }
    touch(text.firstMatch(of: builder)?.2)
    let classic = try? NSRegularExpression(pattern: "[0-9]+", options: [])
    touch(classic?.matches(in: text, range: NSRange(text.startIndex..., in: text)).map(\.range))
    touch(text.replacingOccurrences(of: "[aeiou]", with: "*", options: .regularExpression))
}
@inline(never) func strings() {
    let text = "Zürich, Straße, naïve café — 東京 👩‍👩‍👧"
    touch(
        (
            text.uppercased(), text.folding(options: .diacriticInsensitive, locale: nil),
            text.components(separatedBy: ",")
        ))
    touch((text.data(using: .utf16), String(format: "%05d %@ %.3f", 42, "text" as NSString, 3.14159)))
    let mutable = NSMutableString(string: text)
    mutable.append(" and more of it")
    touch(
        (mutable as String, text.range(of: "café"), text.addingPercentEncoding(withAllowedCharacters: .alphanumerics)))
    let scanner = Scanner(string: "12 apples 3.5 pears")
    touch((scanner.scanInt(), scanner.scanUpToString("3"), scanner.scanDouble()))
    touch(CharacterSet.letters.union(.decimalDigits).contains("x"))
}
@inline(never) func files() {
    let manager = FileManager.default
    let folder = manager.temporaryDirectory.appending(path: "game-\(UUID().uuidString)")
    try? manager.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "saved.txt")
    try? "some text\n".write(to: file, atomically: true, encoding: .utf8)
    if let handle = try? FileHandle(forUpdating: file) {
        _ = try? handle.seekToEnd()
        try? handle.write(contentsOf: Data("more\n".utf8))
        try? handle.close()
    }
    touch((try? String(contentsOf: file, encoding: .utf8), try? manager.attributesOfItem(atPath: file.path)))
    touch(try? manager.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil))
    touch(manager.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects)
    try? manager.removeItem(at: folder)
    _ = try? Data(contentsOf: folder)
}
@inline(never) func processes() {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/bin/echo")
    process.arguments = ["a", "word", "from", "a", "child"]
    process.standardOutput = pipe
    try? process.run()
    let output = try? pipe.fileHandleForReading.readToEnd()
    process.waitUntilExit()
    touch((output, ProcessInfo.processInfo.environment.count, ProcessInfo.processInfo.hostName.count))
}
@inline(never) func containers() {
    let array = NSMutableArray(array: [1, "two", Date()])
    array.add(NSDictionary(dictionary: ["a": 1, "b": NSArray(array: [1, 2])]))
    let set = NSMutableSet(array: ["x", "y"])
    let ordered = NSOrderedSet(array: [3, 1, 2])
    let counted = NSCountedSet(array: ["x", "x"])
    touch(
        (array.count, set.count, ordered.count, counted.count(for: "x"), IndexSet(0..<10), IndexPath(indexes: [1, 2])))
    let cache = NSCache<NSString, NSData>()
    for number in 0..<20 {
        cache.setObject(NSData(data: Data(count: 1_000)), forKey: "key number \(number)" as NSString)
    }
    touch(cache.object(forKey: "key number 3"))
    touch(array.sortedArray(comparator: { _, _ in .orderedSame }))
    touch((NSUUID().uuidString, NSNull(), NSValue(range: NSRange(location: 1, length: 2))))
}
@inline(never) func defaults() {
    let defaults = UserDefaults(suiteName: "game-profiler-shapes-\(getpid())")
    defaults?.set(["a": 1, "b": 2], forKey: "scores")
    touch(defaults?.dictionary(forKey: "scores"))
    defaults?.removePersistentDomain(forName: "game-profiler-shapes-\(getpid())")
}
@inline(never) func notifications() {
    let center = NotificationCenter()
    let part = Part()
    let token = center.addObserver(forName: Notification.Name("moved"), object: nil, queue: nil) { _ in part.number += 1
    }
    center.post(name: Notification.Name("moved"), object: nil, userInfo: ["from": 1])
    center.removeObserver(token)
}
@inline(never) func archives() {
    let data = try? NSKeyedArchiver.archivedData(withRootObject: ["a", "b"] as NSArray, requiringSecureCoding: false)
    touch(data)
}
@inline(never) func sorting() {
    let players = makePlayers().sorted(using: [KeyPathComparator(\.name, order: .reverse)])
    let grouped = Dictionary(grouping: players, by: \.scores.count)
    touch((grouped.mapValues(\.count), Set(players).count, players.lazy.map(\.name).filter { $0.count > 3 }.first))
    let bundle = Bundle.main
    touch((bundle.bundlePath, Locale.current.identifier, TimeZone.current.identifier, Host.current().names.count))
}
@inline(never) func locks() {
    let lock = NSLock()
    let recursive = NSRecursiveLock()
    lock.withLock { recursive.withLock { touch(1) } }
    let condition = NSConditionLock(condition: 1)
    condition.lock(whenCondition: 1)
    condition.unlock(withCondition: 2)
    let progress = Progress(totalUnitCount: 10)
    progress.completedUnitCount = 5
    touch(progress.fractionCompleted)
}
@Observable final class Model {
    var score = 0
    var name = "model"
}
@inline(never) func observation() {
    let model = Model()
    for _ in 0..<10 {
        withObservationTracking {
            touch(model.score)
        } onChange: {
            touch(2)
        }
        model.score += 1
    }
}
@inline(never) func errors() {
    do { _ = try String(contentsOfFile: "/does/not/exist", encoding: .utf8) } catch { touch("\(error)") }
    do { _ = try FileManager.default.contentsOfDirectory(atPath: "/nope") } catch {
        touch((error as NSError).userInfo.count)
    }
    touch(NSError(domain: "game", code: 4, userInfo: [NSLocalizedDescriptionKey: "lost"]).localizedDescription)
}
@inline(never) func attributed() {
    var text = AttributedString("a text with attributes")
    if let range = text.range(of: "with") { text[range].link = URL(string: "https://example.com") }
    touch(text.runs.count)
}
@inline(never) func predicates() {
    let predicate = #Predicate<Player> { $0.scores.count > 3 && $0.name.contains("1") }
    touch((try? makePlayers().filter(predicate))?.count)
}
@inline(never) func streams() {
    let input = InputStream(data: Data("stream of bytes".utf8))
    input.open()
    var bytes = [UInt8](repeating: 0, count: 20)
    touch(input.read(&bytes, maxLength: 20))
    input.close()
    let output = OutputStream.toMemory()
    output.open()
    touch(output.write(bytes, maxLength: 15))
    output.close()
}
@inline(never) func operations() {
    let queue = OperationQueue()
    let first = BlockOperation { touch(1) }
    let second = BlockOperation { touch(2) }
    second.addDependency(first)
    first.addExecutionBlock { touch(3) }
    first.completionBlock = { touch(4) }
    queue.addOperations([first, second], waitUntilFinished: true)
    queue.addBarrierBlock { touch(5) }
    let cancelled = BlockOperation { touch(6) }
    cancelled.cancel()
    queue.addOperation(cancelled)
    queue.waitUntilAllOperationsAreFinished()
}
@inline(never) func threads() {
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
        Thread.current.threadDictionary["part"] = Part()
        done.signal()
    }
    thread.name = "worker"
    thread.start()
    done.wait()
    Thread.detachNewThread { done.signal() }
    done.wait()
    while !thread.isFinished { usleep(1_000) }
}
@inline(never) func runLoops() {
    RunLoop.main.perform { touch(1) }
    let queue = NotificationQueue(notificationCenter: NotificationCenter())
    queue.enqueue(Notification(name: Notification.Name("late")), postingStyle: .asap)
    RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.01))
}
@inline(never) func progress() {
    let whole = Progress(totalUnitCount: 10)
    whole.becomeCurrent(withPendingUnitCount: 5)
    Progress(totalUnitCount: 3).completedUnitCount = 3
    whole.resignCurrent()
    whole.addChild(Progress(totalUnitCount: 1), withPendingUnitCount: 2)
    touch(whole.fractionCompleted)
}
@inline(never) func handlers() {
    let pipe = Pipe()
    let read = DispatchSemaphore(value: 0)
    pipe.fileHandleForReading.readabilityHandler = { handle in
        touch(handle.availableData)
        handle.readabilityHandler = nil
        read.signal()
    }
    pipe.fileHandleForWriting.write(Data("a word".utf8))
    read.wait()
    try? pipe.fileHandleForWriting.close()
    let process = Process()
    let ended = DispatchSemaphore(value: 0)
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "exit 3"]
    process.terminationHandler = { _ in ended.signal() }
    try? process.run()
    ended.wait()
    process.waitUntilExit()
    touch(process.terminationStatus)
}
final class Saved: NSObject, NSCoding {
    let number: Int
    init(number: Int) { self.number = number }
    init?(coder: NSCoder) { number = coder.decodeInteger(forKey: "number") }
    func encode(with coder: NSCoder) { coder.encode(number, forKey: "number") }
}
@inline(never) func customArchives() {
    let archiver = NSKeyedArchiver(requiringSecureCoding: false)
    archiver.encode(["saved": Saved(number: 4), "date": Date()] as NSDictionary, forKey: "root")
    archiver.finishEncoding()
    guard !archiver.encodedData.isEmpty else { return }  // with a static Foundation it is
    guard let unarchiver = try? NSKeyedUnarchiver(forReadingFrom: archiver.encodedData) else { return }
    unarchiver.requiresSecureCoding = false
    touch(unarchiver.decodeObject(forKey: "root"))
    unarchiver.finishDecoding()
}
@inline(never) func locales() {
    touch(NSLocale(localeIdentifier: "de_DE").object(forKey: .currencyCode))
    touch(NSCalendar(identifier: .gregorian)?.component(.year, from: Date()))
    touch(Calendar(identifier: .hebrew).component(.year, from: Date()))
    touch((Locale.availableIdentifiers.count, TimeZone.knownTimeZoneIdentifiers.count))
    touch((Date().formatted(.dateTime.year().month()), ["a", "b"].formatted(.list(type: .and))))
    touch((Decimal(3).formatted(.currency(code: "EUR")), Duration.seconds(3).formatted(), 3.formatted(.percent)))
    touch(try? Date("2024-01-01T00:00:00Z", strategy: .iso8601))
}
@inline(never) func bridged() {
    let text = "grün" as NSString
    text.enumerateSubstrings(
        in: NSRange(location: 0, length: text.length), options: .byComposedCharacterSequences
    ) { part, _, _, _ in touch(part) }
    touch((text.components(separatedBy: "r"), text.appendingPathComponent("x"), text.boolValue))
    touch(NSPredicate(block: { value, _ in (value as? Int) == 1 }).evaluate(with: 1))
    touch((NSStringFromRect(NSRect(x: 1, y: 2, width: 3, height: 4)), NSData(data: Data(count: 100)).hash))
    touch((Bundle.main.url(forResource: "x", withExtension: "y"), Bundle.allBundles.count))
}
@inline(never) func everything() {
    json()
    propertyList()
    data()
    urls()
    dates()
    numbers()
    expressions()
    strings()
    files()
    processes()
    containers()
    defaults()
    notifications()
    archives()
    sorting()
    locks()
    observation()
    errors()
    attributed()
    predicates()
    streams()
    operations()
    threads()
    runLoops()
    progress()
    handlers()
    customArchives()
    locales()
    bridged()
}

let cases: Cases = [
    "everything": everything,
    "json": json, "property-list": propertyList, "data": data, "urls": urls, "dates": dates, "numbers": numbers,
    "expressions": expressions, "strings": strings, "files": files, "processes": processes,
    "containers": containers, "defaults": defaults, "notifications": notifications, "archives": archives,
    "sorting": sorting, "locks": locks, "observation": observation, "errors": errors, "attributed": attributed,
    "predicates": predicates, "streams": streams, "operations": operations, "threads": threads,
    "run-loops": runLoops, "progress": progress, "handlers": handlers, "custom-archives": customArchives,
    "locales": locales, "bridged": bridged,
]
