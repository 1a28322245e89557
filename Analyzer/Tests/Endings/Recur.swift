import Foundation

// Lost: closure variable that holds itself; state object with a completion called but kept
func fibonacci(_ count: Int) -> Int {
    var step: ((Int) -> Int)!
    step = { number in number < 2 ? number : step(number - 1) + step(number - 2) }  // leak
    return step(count)
}
final class Download {
    var completion: ((Int) -> Void)?
    private var received = 0
    func receive(_ bytes: Int) {
        received += bytes
        if received > 10 { completion?(received) }
    }
}
final class Manager {
    private var downloads: [Download] = []
    private var total = 0
    func begin() {
        let download = Download()
        download.completion = { bytes in self.total += bytes }  // leak
        downloads.append(download)
        download.receive(20)
    }
}
func run() {
    print(fibonacci(6))
    Manager().begin()
}
run()
