// Children made by fork, which is no function for Swift. Says how each child ended.
import Foundation

@_silgen_name("fork") func forked() -> Int32

final class Request {
    var peer: Request?
    var onClose: (() -> Int)?
    var body = [UInt8](repeating: 7, count: 64)
}

@inline(never) func lose(_ count: Int) {
    for _ in 0..<count {
        let one = Request()
        let other = Request()
        (one.peer, other.peer) = (other, one)
    }
}

@inline(never) func handle(_ count: Int) -> Int {
    (0..<count).reduce(0) { sum, _ in
        let request = Request()
        request.onClose = { [unowned request] in request.body.count }
        return sum + (request.onClose?() ?? 0)
    }
}

/// Its process.
func child(_ body: () -> Void) -> Int32 {
    let process = forked()
    if process == 0 {
        body()
        exit(0)
    }
    return process
}

func execute(_ program: String) {
    var arguments = [strdup(program), nil]
    execv(program, &arguments)
    free(arguments[0])
}

func ends(_ processes: [Int32]) {
    for process in processes {
        var status: Int32 = 0
        waitpid(process, &status, 0)
        print(status & 127 == 0 ? "exit \(status >> 8)" : "signal \(status & 127)")
    }
}

func thread(_ body: @escaping @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?) -> pthread_t {
    var thread = pthread_t()
    pthread_create(&thread, nil, body, nil)
    return thread
}

nonisolated(unsafe) var isOver = false
nonisolated(unsafe) var table: [Int: Request] = [:]
nonisolated(unsafe) var childOfThread: Int32 = 0
nonisolated(unsafe) var lostByChildOfThread = 0
nonisolated(unsafe) var memory = UnsafeMutableRawPointer.allocate(byteCount: 64 << 20, alignment: 4096)

/// Objects that only the stack of a thread names, while the thread allocates.
@inline(never) func churn() {
    let held = (0..<50).map { _ in Request() }
    for (one, next) in zip(held, held.dropFirst()) { one.peer = next }
    var turn = 0
    while !isOver {
        let request = Request()
        request.peer = held[turn % held.count]
        turn += 1
    }
    for one in held { one.peer = nil }
}

func pool(_ losing: Int) {
    lostByChildOfThread = losing / 2
    let workers = (0..<3).map { _ in
        thread { _ in
            churn()
            return nil
        }
    }
    usleep(20_000)
    ends((1...3).map { number in child { lose(losing * number) } })
    let forking = thread { _ in
        childOfThread = child { lose(lostByChildOfThread) }
        return nil
    }
    pthread_join(forking, nil)
    ends([childOfThread])
    isOver = true
    for worker in workers { pthread_join(worker, nil) }
}

/// Workers that share a pipe on which they are asked, as those of a server share a socket.
func server(_ losing: Bool) {
    var (asked, answered): ([Int32], [Int32]) = ([0, 0], [0, 0])
    pipe(&asked)
    pipe(&answered)
    let workers = (0..<3).map { _ in
        child {
            close(asked[1])
            var byte: UInt8 = 0
            while read(asked[0], &byte, 1) == 1 {
                if losing { lose(1) }
                _ = handle(1)
                write(answered[1], &byte, 1)
            }
        }
    }
    var byte: UInt8 = 1
    for _ in 0..<300 { write(asked[1], &byte, 1) }
    let count = (0..<300).reduce(0) { sum, _ in sum + read(answered[0], &byte, 1) }
    print("answered \(count)")
    close(asked[1])
    ends(workers)
}

setvbuf(stdout, nil, _IOLBF, 0)
// A thread of libdispatch, which may have started this program, blocks every signal.
var none = sigset_t()
sigemptyset(&none)
sigprocmask(SIG_SETMASK, &none, nil)
for number in 0..<7 { table[number] = Request() }
let word = CommandLine.arguments.dropFirst().first ?? ""
switch word {
case "workers":
    ends([
        child { lose(3) },
        child {
            lose(6)
            _exit(4)
        },
        child {
            lose(9)
            quick_exit(5)
        },
    ])
case "return":
    let process = forked()
    if process == 0 { lose(12) } else { ends([process]) }
case "parent":
    lose(5)
    ends([child { lose(2) }, child { _ = handle(3) }])
case "grandchild":
    ends([
        child {
            lose(2)
            ends([child { lose(4) }])
        }
    ])
case "signals":
    var (ready, byte): ([Int32], UInt8) = ([0, 0], 0)
    pipe(&ready)
    let waiting = (0..<2).map { _ in
        child {
            lose(3)
            write(ready[1], &byte, 1)
            while true { pause() }
        }
    }
    for _ in waiting { read(ready[0], &byte, 1) }
    kill(waiting[0], SIGKILL)
    kill(waiting[1], SIGTERM)
    ends(waiting)
    ends([
        child {
            lose(8)
            abort()
        }
    ])
case "exec":
    ends([
        child {
            lose(3)
            execute(CommandLine.arguments[2])
        },
        child {
            lose(3)
            execute("/missing/program")
        },
    ])
case "many":
    for _ in 0..<3 { ends((0..<10).map { number in child { if number == 3 { lose(1) } } }) }
case "memory":
    // 64 MB, of which the child writes a quarter.
    memory.initializeMemory(as: UInt8.self, repeating: 1, count: 64 << 20)
    ends([child { memory.initializeMemory(as: UInt8.self, repeating: 2, count: 16 << 20) }])
case "pool": pool(10)
case "quiet pool": pool(0)
case "server": server(true)
case "quiet server": server(false)
case "inherited":
    // Objects of before the fork are freed, replaced and held by new ones.
    ends([
        child {
            for number in 0..<4 { table[number] = nil }
            for number in 7..<20 {
                table[number] = Request()
                table[number]?.peer = table[5]
            }
        }
    ])
case "family":
    for _ in 0..<12 { pclose(popen("/bin/true", "r")) }
    ends([
        child { lose(3) },
        child { abort() },
        child {
            ends([child { lose(2) }])
            exit(7)
        },
    ])
    // It lives longer than its parent.
    _ = child { usleep(400_000) }
default: fatalError(word)
}
