// Imports pictures that it gives up before it ends: near its peak the heap holds them all.
final class Picture {
    var bytes: [UInt8]
    init(_ count: Int) { bytes = [UInt8](repeating: 1, count: count) }
}

final class Import {
    var pictures: [Picture] = []
}

final class App {
    var kept: [Picture] = []
    var job: Import?
}

nonisolated(unsafe) let app = App()

@inline(never) func run(_ pictures: Int) {
    for _ in 0..<10 { app.kept.append(Picture(10_000)) }
    app.job = Import()
    for _ in 0..<pictures { app.job?.pictures.append(Picture(50_000)) }
    print("imported", app.job?.pictures.count ?? 0)
    app.job = nil
}

run(CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 400)
print("kept", app.kept.count)
