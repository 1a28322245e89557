import Foundation

// one-shot handlers ended by setters that take nil, from tasks, from a same-named function
final class Transfer {
    let name: String
    private var completion: ((Bool) -> Void)?
    private var progress: ((Double) -> Void)?
    private var work: Task<Void, Never>?
    init(name: String) { self.name = name }
    func onCompletion(_ handler: ((Bool) -> Void)?) { completion = handler }
    func onProgress(_ handler: ((Double) -> Void)?) { progress = handler }
    func run(chunks: Int) {
        work = Task {
            for chunk in 0..<chunks {
                self.progress?(Double(chunk) / Double(chunks))
                await Task.yield()
            }
            self.run(finished: true)
        }
    }
    private func run(finished: Bool) {
        let done = completion
        onCompletion(nil)
        onProgress(nil)
        work = nil
        done?(finished)
    }
    func wait() async { await work?.value }
}
final class Uploader {
    private let transfer: Transfer
    private(set) var percent = 0.0
    private(set) var succeeded = false
    init(_ transfer: Transfer) { self.transfer = transfer }
    func run() async {
        transfer.onProgress { value in self.percent = value }
        transfer.onCompletion { ok in self.succeeded = ok }
        transfer.run(chunks: 4)
        await transfer.wait()
    }
}
final class Batch {
    private var transfers: [Transfer] = []
    private var ended = 0
    func add(_ transfer: Transfer) {
        transfers.append(transfer)
        transfer.onCompletion { _ in self.ended += 1 }
    }
    func runAll() async {
        for transfer in transfers {
            transfer.run(chunks: 2)
            await transfer.wait()
        }
    }
}
let uploader = Uploader(Transfer(name: "a"))
await uploader.run()
print(uploader.percent, uploader.succeeded)
let batch = Batch()
batch.add(Transfer(name: "b"))
await batch.runAll()
