import GameInstrumentation
import GameProfiler

final class Enemy {
    var target: Enemy?
}

/// Loses two enemies that aim at each other.
@inline(never)
func playARound() {
    let (one, other) = (Enemy(), Enemy())
    (one.target, other.target) = (other, one)
}

/// What the key F9 does.
func writeLeaks(since level: LeakWatch, to path: String) {
    do {
        let report = try level.report()
        try report.write(to: path)
        print("\(report.findings.count) findings, see \(path)")
    } catch {
        print(error)
    }
}

do {
    playARound()
    let level = try LeakWatch()
    print("ready: F9 writes leaks.html, any other key plays a round")
    while let key = readLine() {
        if key == "F9" { writeLeaks(since: level, to: "leaks.html") } else { playARound() }
    }
    print("played")
} catch {
    print(error)
}
