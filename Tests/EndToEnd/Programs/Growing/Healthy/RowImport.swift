// Imports a file of rows into records and prints sums; the records are the data of the program.
import Foundation

final class Record {
    let id: Int, name: String, city: String
    let amounts: [Int]
    init?(_ line: Substring) {
        let fields = line.split(separator: ";", omittingEmptySubsequences: false)
        guard fields.count >= 4, let id = Int(fields[0]) else { return nil }
        self.id = id
        name = String(fields[1])
        city = String(fields[2])
        amounts = fields[3].split(separator: ",").compactMap { Int($0) }
    }
}
final class Importer {
    private(set) var records: [Record] = []
    private(set) var errors: [String] = []
    func read(_ path: String) throws {
        let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? handle.close() }
        var rest = ""
        while let data = try handle.read(upToCount: 4096), !data.isEmpty {
            rest += String(decoding: data, as: UTF8.self)
            var lines = rest.split(separator: "\n", omittingEmptySubsequences: false)
            let unfinished = lines.removeLast()
            for line in lines { add(line) }
            rest = String(unfinished)
        }
        if !rest.isEmpty { add(rest[...]) }
    }
    private func add(_ line: Substring) {
        if let record = Record(line) { records.append(record) } else { errors.append(String(line)) }
    }
}
struct Summary {
    var byCity: [String: Int] = [:]
    init(_ records: [Record]) {
        for record in records { byCity[record.city, default: 0] += record.amounts.reduce(0, +) }
    }
    func top(_ count: Int) -> [(String, Int)] { Array(byCity.sorted { $0.value > $1.value }.prefix(count)) }
}
let path = NSTemporaryDirectory() + "/rows-\(ProcessInfo.processInfo.processIdentifier).csv"
var text = ""
let cities = ["Bern", "Oslo", "Lima", "Quito", "Riga", "Turin", "Perth"]
for row in 0..<6_000 {
    text +=
        row % 500 == 499
        ? "broken line\n" : "\(row);Customer number \(row);\(cities[row % 7]);\(row % 90),\(row % 37),\(row % 11)\n"
}
try text.write(toFile: path, atomically: true, encoding: .utf8)
text = ""
defer { try? FileManager.default.removeItem(atPath: path) }
let importer = Importer()
try importer.read(path)
let summary = Summary(importer.records)
for (city, sum) in summary.top(3) { print(city, sum) }
print(importer.records.count, "records", importer.errors.count, "errors")
