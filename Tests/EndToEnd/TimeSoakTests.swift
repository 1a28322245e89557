import Foundation
import Testing

/// `gameprof time` under load.
@Suite(.enabled(if: LongTests.soak))
struct TimeSoakTests {
    /// No hang and no crash while threads come and go and libraries are loaded and unloaded.
    @Test(.timeLimit(.minutes(5)))
    func aHundredThousandSamplesAgainstTheLoader() throws {
        let run = try TimeRun(
            CProgram.compile("Sampling.c"), ["churn", "9000"], options: ["--rate", "10000", "--wall"])
        #expect(run.output.contains("well"))
        #expect(run.status == 0)
        #expect(run.hotspots.samples > 100_000)
        #expect(run.hotspots.total("compute") > 0.9)
    }
}
