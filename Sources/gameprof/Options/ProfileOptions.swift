import ArgumentParser

/// How stacks are shown.
struct ProfileOptions: ParsableArguments {
    @Flag(
        name: .customLong("runtime-frames"), help: "Show reference counting, allocation and thunks as separate frames.")
    var runtimeFrames = false
}
