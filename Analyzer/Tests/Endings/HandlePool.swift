// references given to C code and taken back elsewhere
final class Job {
    let id: Int
    var result = 0
    init(id: Int) { self.id = id }
}
struct CSlot {
    var context: UnsafeMutableRawPointer?
    var call: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
}
final class Pool {
    private var slots: [CSlot] = []
    private var spare: [Unmanaged<Job>] = []
    private var table: [Int: UnsafeMutableRawPointer] = [:]
    func submit(_ job: Job) {
        let context = Unmanaged.passRetained(job).toOpaque()
        slots.append(
            CSlot(context: context) { raw in
                guard let raw else { return }
                let job = Unmanaged<Job>.fromOpaque(raw).takeRetainedValue()
                job.result += 1
            })
    }
    func flush() {
        for slot in slots { slot.call?(slot.context) }
        slots.removeAll()
    }
    func keep(_ job: Job) {
        let handle = Unmanaged.passRetained(job)
        spare.append(handle)
        table[job.id] = handle.toOpaque()
    }
    func lookUp(_ id: Int) -> Job? {
        table[id].map { Unmanaged<Job>.fromOpaque($0).takeUnretainedValue() }
    }
    deinit {
        spare.forEach { $0.release() }
        precondition(slots.isEmpty)
    }
}
final class Lease {
    private let handle: Unmanaged<Job>
    private var isReturned = false
    init(_ job: Job) {
        handle = .passRetained(job)
    }
    func giveBack() {
        guard !isReturned else { return }
        isReturned = true
        handle.release()
    }
    deinit { giveBack() }
}
func withHandle<Result>(_ job: Job, _ body: (UnsafeMutableRawPointer) -> Result) -> Result {
    let handle = Unmanaged.passRetained(job)
    defer { handle.release() }
    return body(handle.toOpaque())
}
let pool = Pool()
for id in 0..<3 { pool.submit(Job(id: id)) }
pool.flush()
pool.keep(Job(id: 9))
print(pool.lookUp(9)?.id ?? -1)
let lease = Lease(Job(id: 4))
lease.giveBack()
print(withHandle(Job(id: 5)) { Unmanaged<Job>.fromOpaque($0).takeUnretainedValue().id })
