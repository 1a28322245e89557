import Foundation

/// Called once by the recorder where `GAMEPROF_PUSH_TO` is set, a second after the program was loaded.
@_cdecl("gp_push_from_environment")
func pushFromEnvironment() {
    #if Instrumented
    do {
        guard let settings = try PushSettings(environment: ProcessInfo.processInfo.environment) else { return }
        _ = try BackgroundPush(settings, sinceProcessStart: Date(timeIntervalSinceNow: -1))
        if !ProfileCollector.isRecorded { say(PushWork.nothingIsSampled) }
    } catch {
        say("\(error)")
    }
    #endif
}

/// Nothing is sent, and nobody else will say why.
private func say(_ problem: String) {
    FileHandle.standardError.write(Data("gameprof: no profiles are pushed. \(problem)\n".utf8))
}
