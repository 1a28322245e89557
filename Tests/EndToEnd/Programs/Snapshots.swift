// Programs that are looked at while they run. Each prints "done" at its end.
import Dispatch
import Foundation

final class Leaf {
    var number = 1
}
final class Lost {
    var other: Lost?
}
actor Store {
    private var leaves: [Leaf] = []
    func keep(_ leaf: Leaf) {
        leaves.append(leaf)
        if leaves.count > 100 { leaves.removeFirst(50) }
    }
}
let store = Store()

@inline(never) func lose(_ count: Int) {
    for _ in 0..<count {
        let a = Lost()
        let b = Lost()
        a.other = b
        b.other = a
    }
}

/// Loses a pair, waits longer than from one snapshot to the next, loses two more.
@inline(never) func growing() {
    lose(1)
    usleep(1_500_000)
    lose(2)
    usleep(200_000)
}

/// Everything that makes and moves references at once, for so many seconds.
@inline(never) func busy(seconds: Double) {
    let end = Date().addingTimeInterval(seconds)
    let group = DispatchGroup()
    for turn in 0..<8 {
        group.enter()
        Thread {
            var kept: [Leaf] = []
            var named: [Int: Leaf] = [:]
            while Date() < end {
                let leaf = Leaf()
                kept.append(leaf)
                named[kept.count] = leaf
                if kept.count > 700 {
                    kept.removeAll(keepingCapacity: turn % 2 == 0)
                    named.removeAll()
                }
                if kept.count % 200 == 0 {
                    Task { await store.keep(leaf) }
                    DispatchQueue.global().async(group: group) { leaf.number += 1 }
                }
                if kept.count % 50 == 0 { usleep(200) }
            }
            group.leave()
        }.start()
    }
    group.enter()
    Thread {
        while Date() < end {
            if let library = dlopen("libresolv.so.2", RTLD_NOW) { dlclose(library) }
            usleep(500)
        }
        group.leave()
    }.start()
    group.wait()
}

/// The main thread ends before another does.
@inline(never) func leaveMain() {
    Thread {
        usleep(400_000)
        print("done")
        fflush(stdout)
    }.start()
    pthread_exit(nil)
}

@main enum Program {
    /// Without a copy of the arguments: what the main thread leaves behind in `leave-main` would be lost.
    static func argument(_ index: Int) -> String {
        CommandLine.arguments.count > index ? CommandLine.arguments[index] : ""
    }

    static func main() {
        switch argument(1) {
        case "growing": growing()
        case "announced":
            print("ready")
            fflush(stdout)
            growing()
        case "busy": busy(seconds: Double(argument(2)) ?? 1)
        case "leave-main": leaveMain()
        default: print("growing, announced, busy or leave-main")
        }
        print("done")
    }
}
