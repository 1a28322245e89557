import Foundation

/// How regular the frames of a game are, with the tool and without it.
extension Rows {
    var frameRows: [Row] { [Row(name: "frames", title: "a puzzle at 60 frames per second, 4 s", run: frames)] }

    /// What the game says of its frames, a line for each way to run it. The runs are one after the other: frames are
    /// waited for, so the runs do not load the machine.
    private func frames() {
        let session = scratch + "/frames.session"
        let directions = ["left", "up", "right", "down"]
        let steps = (0..<180).map { "\($0) tilt \(directions[$0 % 4])" }.joined(separator: "\n")
        try? "gamelab session 1\ngame puzzle\nseed 1\nside 8\n\(steps)\n".write(
            toFile: session, atomically: true, encoding: .utf8)
        let game = [tools + "/gamelab", "play", "puzzle", "--replay", session, "--paced", "--frame-times"]
        print("unrecorded".padding(toLength: 24, withPad: " ", startingAt: 0) + figures(of: game))
        for instrument in ["leaks", "allocations", "zombies", "time"] {
            let recorder = [tools + "/gameprof", instrument, "--quiet", "--json", scratch + "/frames.json", "--"]
            let name = "gameprof \(instrument)".padding(toLength: 24, withPad: " ", startingAt: 0)
            print(name + figures(of: recorder + game))
        }
    }

    private func figures(of command: [String]) -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return "cannot be run" }
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return output.split(separator: "\n").last { $0.contains("frames") }.map(String.init) ?? "no figures"
    }
}
