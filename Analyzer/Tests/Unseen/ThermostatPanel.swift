import Foundation
import Observation
import Dispatch

enum HeatingMode: String, Sendable {
    case off, eco, comfort
}

final class Thermostat: Observable, @unchecked Sendable {
    private let registrar = ObservationRegistrar()
    private var storedTarget = 20.0
    private var storedMode = HeatingMode.eco

    var target: Double {
        get {
            registrar.access(self, keyPath: \.target)
            return storedTarget
        }
        set {
            registrar.withMutation(of: self, keyPath: \.target) {
                storedTarget = newValue
            }
        }
    }

    var mode: HeatingMode {
        get {
            registrar.access(self, keyPath: \.mode)
            return storedMode
        }
        set {
            registrar.withMutation(of: self, keyPath: \.mode) {
                storedMode = newValue
            }
        }
    }
}

struct PanelText: Equatable {
    var headline = ""
    var badge = ""
}

final class ThermostatPanel: @unchecked Sendable {
    private let model: Thermostat
    private let queue: DispatchQueue
    private var text = PanelText()
    private(set) var renders = 0

    init(model: Thermostat, queue: DispatchQueue) {
        self.model = model
        self.queue = queue
    }

    func appear() {
        queue.sync { observe() }
    }

    private func observe() {
        withObservationTracking {
            render()
        } onChange: {
            self.queue.async { self.observe() }
        }
    }

    private func render() {
        renders += 1
        text.headline = String(format: "%.1f C", model.target)
        text.badge = model.mode.rawValue
    }

    var visibleText: String {
        queue.sync { "\(text.headline) [\(text.badge)]" }
    }
}

/// Keeps a running estimate of consumption.
final class ConsumptionEstimator: @unchecked Sendable {
    private let model: Thermostat
    private let queue: DispatchQueue
    private var watts = 0.0

    init(model: Thermostat, queue: DispatchQueue) {
        self.model = model
        self.queue = queue
    }

    func begin() {
        queue.sync { track() }
    }

    private func track() {
        withObservationTracking {
            watts = estimate(target: model.target, mode: model.mode)
        } onChange: { [weak self, queue] in
            queue.async { [weak self] in self?.track() }
        }
    }

    private func estimate(target: Double, mode: HeatingMode) -> Double {
        let factor = switch mode {
        case .off: 0.0
        case .eco: 45.0
        case .comfort: 70.0
        }
        return max(0, target - 12) * factor
    }

    var current: Int { queue.sync { Int(watts) } }
}

func visitRoom(_ name: String, presets: [(Double, HeatingMode)]) {
    let queue = DispatchQueue(label: "room.\(name)")
    let thermostat = Thermostat()
    let panel = ThermostatPanel(model: thermostat, queue: queue)
    let estimator = ConsumptionEstimator(model: thermostat, queue: queue)
    panel.appear()
    estimator.begin()
    for (target, mode) in presets {
        queue.sync {
            thermostat.target = target
            thermostat.mode = mode
        }
        Thread.sleep(forTimeInterval: 0.01)
        print(name, panel.visibleText, estimator.current)
    }
}

visitRoom("kitchen", presets: [(19, .eco), (22.5, .comfort)])
visitRoom("attic", presets: [(12, .off)])
