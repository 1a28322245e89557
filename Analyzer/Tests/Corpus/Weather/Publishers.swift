import Combine
import Foundation

/// Shows the weather as it comes in.
final class WeatherViewModel: ObservableObject {
    @Published var temperature = 0.0
    @Published var city = ""
    @Published private(set) var forecast: [Double] = []
    private var cancellables = Set<AnyCancellable>()
    private var citySubscription: AnyCancellable?
    private var alarm: AnyCancellable?
    private let service: WeatherService
    private let refresh = PassthroughSubject<Void, Never>()

    init(service: WeatherService) {
        self.service = service
        service.temperatures
            .receive(on: DispatchQueue.main)
            .sink { value in  // suspect: subscription
                self.temperature = value
            }
            .store(in: &cancellables)
        service.temperatures
            .map { $0 * 1.8 + 32 }  // no-finding: subscription
            .sink { [weak self] value in  // no-finding: subscription
                self?.forecast.append(value)
            }
            .store(in: &cancellables)
        citySubscription = $city.assign(to: \.name, on: self)  // suspect: subscription
        service.temperatures.assign(to: &$temperature)  // no-finding: subscription
        refresh
            .flatMap { self.service.load(self.city) }  // suspect: subscription
            .sink { [weak self] in self?.forecast = $0 }
            .store(in: &cancellables)
        refresh
            .flatMap { [service] in service.load("Rome") }  // no-finding: subscription
            .sink { [weak self] in self?.forecast = $0 }
            .store(in: &cancellables)
    }

    var name = ""

    func listen() {
        alarm = service.warnings.sink(
            receiveCompletion: { _ in },
            receiveValue: { self.city = $0 })  // suspect: subscription
        let local = service.warnings.sink { print($0, self.city) }  // no-finding: subscription
        local.cancel()
        $temperature.sink { [unowned self] in self.forecast.append($0) }  // no-finding: subscription
            .store(in: &cancellables)
    }

    func once() {
        service.warnings.first().sink { text in  // no-finding: subscription
            self.city = text
        }.store(in: &cancellables)
        service.warnings.sink(receiveValue: show).store(in: &cancellables)  // suspect: subscription
    }

    private func show(_ text: String) {
        city = text
    }
}

final class WeatherService {
    let temperatures = PassthroughSubject<Double, Never>()
    let warnings = PassthroughSubject<String, Never>()

    func load(_ city: String) -> AnyPublisher<[Double], Never> {
        Just([]).eraseToAnyPublisher()
    }
}

/// Ends its subscriptions when it is told to.
final class StationMonitor {
    private var subscriptions: [AnyCancellable] = []
    private var station: AnyCancellable?
    private var readings: [Double] = []

    func start(_ service: WeatherService) {
        station = service.temperatures.sink { self.readings.append($0) }  // no-finding: subscription
        subscriptions.append(
            service.temperatures.sink { value in  // suspect: subscription
                self.readings.append(value)
            })
    }

    func stop() {
        station?.cancel()
        station = nil
        readings.removeAll()
    }
}

/// Observes a model.
@Observable final class Barometer {
    var pressure = 1013.0
}

final class BarometerView {
    private let barometer = Barometer()
    private var text = ""

    func render() {
        withObservationTracking {  // no-finding: observation
            self.text = "\(self.barometer.pressure)"
        } onChange: { [weak self] in
            self?.render()
        }
    }

    func renderAlways() {
        withObservationTracking {
            text = "\(barometer.pressure)"
        } onChange: {  // suspect: observation
            self.renderAlways()
        }
    }
}
