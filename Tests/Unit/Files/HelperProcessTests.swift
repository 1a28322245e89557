import GameprofBasics
import Testing

@Suite("Programs that the tool runs for itself") struct HelperProcessTests {
    @Test("one that does nothing is ended, one that works or ends is not")
    func idle() throws {
        let asleep = try HelperProcess.run("/bin/sleep", ["1000000"], idleSeconds: 1)
        #expect(asleep.wasIdle && asleep.code == nil)
        let busy = "i=0; while [ $i -lt 1000000 ]; do i=$((i+1)); done; cat"
        let answer = try HelperProcess.run("/bin/sh", ["-c", busy], input: Array("text".utf8), idleSeconds: 1)
        #expect(!answer.wasIdle && answer.code == 0 && String(decoding: answer.output, as: UTF8.self) == "text")
    }
}
