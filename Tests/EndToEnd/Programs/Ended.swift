// Objects that live when the program ends by a signal, in the way that its first argument names.
import Foundation

final class Card {
    var value = 1
}

final class Deck<Element> {
    var element: Element?
}

nonisolated(unsafe) var mainAddress = 0

let cards = (0..<1000).map { _ in Card() }
let decks = (0..<10).map { _ in Deck<Int>() }

/// Writes over what lies before and behind a block of the heap, and over the first words of some objects.
func damageHeap() {
    for (index, card) in cards.enumerated().prefix(10) {
        let words = Unmanaged.passUnretained(card).toOpaque().assumingMemoryBound(to: UInt.self)
        words[-1] = 0x4141_4141_4141_4141
        words[0] = [0, 8, 0xdead_beef_dead_bee8, UInt(bitPattern: words), 0x7fff_ffff_f000][index % 5]
    }
}

setvbuf(stdout, nil, _IONBF, 0)
switch CommandLine.arguments.dropFirst().first {
case "abort": abort()
case "fatal": fatalError("over")
case "raise": raise(Int32(CommandLine.arguments[2])!)
case "segv": UnsafeMutablePointer<Int>(bitPattern: 16)!.pointee = 1
case "free":
    // A pointer into the middle would have a random size before it, and now and then a fault comes before the abort.
    let block = malloc(40)!
    free(block)
    free(block)
case "damage":
    damageHeap()
    abort()
case "overflow":
    func deep(_ depth: Int) -> Int { depth < 0 ? 0 : deep(depth + 1) + cards.count }
    print(deep(0))
case "thread":
    let thread = Thread { abort() }
    thread.start()
    while true { sleep(1) }
case "reraise":
    // As a crash reporter does: its handler gives the default action back and lets the signal come again.
    signal(SIGABRT) { number in
        signal(number, SIG_DFL)
        raise(number)
    }
    abort()
case "fork":
    let child = gameprofFork()
    if child == 0 { abort() }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    print("child", status & 0x7f)
case "actions":
    for number in [SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE] {
        var action = sigaction()
        sigaction(number, nil, &action)
        print(action.__sigaction_handler.sa_handler == nil, action.sa_flags & ~0x400_0000)
    }
case "alternate stack":
    func show() {
        var stack = stack_t()
        print(sigaltstack(nil, &stack), stack.ss_flags, stack.ss_sp == nil, stack.ss_size)
    }
    func set(_ flags: Int32) {
        var stack = stack_t(ss_sp: malloc(1 << 16), ss_flags: flags, ss_size: 1 << 16)
        var old = stack_t()
        print(sigaltstack(&stack, &old), old.ss_flags, old.ss_sp == nil, old.ss_size)
    }
    show()
    var action = sigaction()
    mainAddress = withUnsafePointer(to: &action) { Int(bitPattern: $0) }
    action.sa_flags = SA_ONSTACK
    action.__sigaction_handler.sa_handler = { _ in
        var stack = stack_t()
        sigaltstack(nil, &stack)
        let isOnMain = withUnsafePointer(to: &stack) { abs(Int(bitPattern: $0) - mainAddress) < 1 << 20 }
        print(stack.ss_flags, isOnMain)
    }
    sigaction(SIGUSR1, &action, nil)
    raise(SIGUSR1)
    set(0)
    show()
    raise(SIGUSR1)
    set(2)  // SS_DISABLE
    show()
default: break
}
withExtendedLifetime((cards, decks)) {}

@_silgen_name("fork") func gameprofFork() -> Int32
