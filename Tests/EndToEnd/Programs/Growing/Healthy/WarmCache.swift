// A cache with a bound of 2,000 that is not reached before the end: the program is a batch of 900 look-ups.
import Foundation

struct Coordinates: Hashable { let latitude: Int, longitude: Int }
final class Forecast {
    let days: [Double]
    let issued: Int
    init(days: [Double], issued: Int) {
        self.days = days
        self.issued = issued
    }
}
final class ForecastCache {
    private var entries: [Coordinates: Forecast] = [:]
    private var order: [Coordinates] = []
    private let limit = 2_000
    func forecast(at place: Coordinates, compute: (Coordinates) -> Forecast) -> Forecast {
        if let known = entries[place] { return known }
        let made = compute(place)
        entries[place] = made
        order.append(place)
        if order.count > limit { entries[order.removeFirst()] = nil }
        return made
    }
    var count: Int { entries.count }
}
final class Model {
    private var temperatures: [Double] = (0..<365).map { 10 + 12 * sin(Double($0) / 58) }
    func simulate(_ place: Coordinates, day: Int) -> Forecast {
        var days: [Double] = []
        var value = temperatures[day % 365] - Double(abs(place.latitude)) / 4
        for step in 0..<14 {
            value += cos(Double(place.longitude + step)) / 2
            days.append(value)
        }
        return Forecast(days: days, issued: day)
    }
}
final class Report {
    private var lines: [String] = []
    func add(_ place: Coordinates, _ forecast: Forecast) {
        let average = forecast.days.reduce(0, +) / Double(forecast.days.count)
        if average > 25 { lines.append("\(place.latitude),\(place.longitude): \(Int(average)) degrees") }
        if lines.count > 20 { lines.removeFirst() }
    }
    func write() { for line in lines.suffix(3) { print(line) } }
}
func run() {
    let cache = ForecastCache()
    let model = Model()
    let report = Report()
    var seed: UInt64 = 3
    for _ in 0..<900 {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let place = Coordinates(latitude: Int(seed >> 40) % 90, longitude: Int(seed >> 20) % 180)
        let forecast = cache.forecast(at: place) { model.simulate($0, day: Int(seed >> 50) % 365) }
        report.add(place, forecast)
    }
    report.write()
    print("cached", cache.count)
}
run()
