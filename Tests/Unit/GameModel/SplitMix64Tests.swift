import GameModel
import Testing

@Suite struct SplitMix64Tests {
    @Test func followsThePublishedSequence() {
        // The first values of the reference implementation for the seed 1234567.
        var generator = SplitMix64(seed: 1_234_567)
        let values = (0..<3).map { _ in generator.next() }
        #expect(values == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423])
    }
}
