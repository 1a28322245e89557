import Dispatch
import Foundation

/// Accepts clients, keeps their sessions, says who is there.
final class Server: ConnectionDelegate {
    static let shared = Server()

    private var connections: [Int: Connection] = [:]
    private var sessions: [Int: Session] = [:]
    private var accepted = 0
    private var log: [String] = []
    private var recentLines: [String] = []
    private var acceptSource: DispatchSourceRead?
    private var signalSource: DispatchSourceSignal?
    private var statisticsTimer: DispatchSourceTimer?
    private var onIdle: (() -> Void)?

    func listen(on descriptor: Int32) {
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor)
        source.setEventHandler {  // suspect: dispatch-source
            self.accept(descriptor)
        }
        source.resume()
        acceptSource = source

        signalSource = DispatchSource.makeSignalSource(signal: SIGHUP, queue: .main)
        signalSource?.setEventHandler { [weak self] in  // no-finding: dispatch-source
            self?.reload()
        }
        signalSource?.resume()
    }

    func startStatistics() {
        let timer = DispatchSource.makeTimerSource(queue: .main)
        timer.schedule(deadline: .now(), repeating: 60)
        timer.setEventHandler { self.printStatistics() }  // no-finding: dispatch-source
        timer.activate()
        statisticsTimer = timer
    }

    func stopStatistics() {
        statisticsTimer?.cancel()
        statisticsTimer = nil
    }

    private func accept(_ descriptor: Int32) {
        accepted += 1
        let connection = Connection(identifier: accepted)
        connection.delegate = self
        connections[accepted] = connection
        sessions[accepted] = Session(connection: connection)
        log.append("accepted \(accepted)")
    }

    private func reload() {
        log.append("reload")
    }

    private func printStatistics() {
        print("\(connections.count) connections")
    }

    func whenIdle() {
        onIdle = {  // no-finding: stored-closure
            self.printStatistics()
            self.onIdle = nil
        }
    }

    func connection(_ connection: Connection, didReceive line: String) {
        recentLines.append(line)
        if recentLines.count > 100 { recentLines.removeFirst() }
        for (_, other) in connections where other !== connection {
            other.write(line)
        }
    }

    func connectionDidClose(_ connection: Connection) {
        connections[connection.identifier] = nil
        sessions.removeValue(forKey: connection.identifier)
        if connections.isEmpty { onIdle?() }
    }
}
