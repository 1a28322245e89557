import Testing

@testable import GameprofAnalysis
@testable import GameprofTrace

@Suite struct ThreadTitleTests {
    @Test("the main thread is main, one without a name has a number, and any other its name")
    func titles() {
        let program = ProgramRecord(
            pid: 40, instruments: [.time], executable: "/games/AVeryLongGameOfCards", arguments: [])
        let names: [UInt32: String] = [
            40: "AVeryLongGameOf", 41: "loader", 42: "AVeryLongGameOf", 39: "AVeryLongGameOf",
        ]
        let titles = ThreadTitles.of(
            Dictionary(uniqueKeysWithValues: names.map { (ThreadID(rawValue: $0.key), $0.value) }), program: program)
        let texts = [39, 40, 41, 42].map { titles[ThreadID(rawValue: $0)].map(ThreadNames.readable) }
        #expect(texts == ["thread 2", "main", "loader", "thread 3"])
    }

    @Test("a thread without a name is called by what it was started with too")
    func starts() {
        let fixture = TimeFixture()
        fixture.sample(frames: [[TimeFixture.plumbing("start_thread")]], thread: 8)
        fixture.sample("closure #1 in Game.start()", "Game.load()", thread: 8)
        fixture.sample("closure #1 in Game.start()", "Game.load()", thread: 9)
        var recording = fixture.recording
        recording.threadNames = [
            ThreadID(rawValue: 8): "2", ThreadID(rawValue: 9): "loader", ThreadID(rawValue: 10): "3",
        ]
        ThreadNames.addStarts(to: &recording, fixture)
        ThreadNames.addStarts(to: &recording, fixture)
        let texts = [8, 9, 10].map { recording.threadNames[ThreadID(rawValue: $0)].map(ThreadNames.readable) }
        #expect(texts == ["thread 2 · closure #1 in Game.start()", "loader", "thread 3"])
        #expect(recording.threadNames[ThreadID(rawValue: 8)].map(ThreadNames.joined) == "threads without a name")
    }

    @Test("a main thread that the program renamed is main, and its name is nobody's default")
    func renamed() {
        let program = ProgramRecord(pid: 7, instruments: [.time], executable: "/bin/game", arguments: [])
        let titles = ThreadTitles.of([ThreadID(rawValue: 7): "ui", ThreadID(rawValue: 8): "game"], program: program)
        #expect(titles == [ThreadID(rawValue: 7): "main", ThreadID(rawValue: 8): "2"])
    }
}
