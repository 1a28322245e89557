/// A system call in which a thread waits.
struct WaitingCall {
    let number: Int
    let arguments: [UInt64]
}
