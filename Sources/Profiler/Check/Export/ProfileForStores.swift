import GameprofAnalysis
import GameprofBasics

extension StoredProfile {
    /// A profile of a recording, from its beginning to its end.
    package init(_ profile: Profile) {
        self.init(
            profile.unit == .bytes ? .memory : .cpuTime, pprof: Array(PprofExport.render(profile)),
            begun: profile.startUnixNanoseconds, ended: profile.startUnixNanoseconds &+ profile.wall)
    }
}
