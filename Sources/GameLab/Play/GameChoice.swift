import ArgumentParser

/// What to play.
enum GameChoice: String, ExpressibleByArgument, CaseIterable {
    case puzzle, memory, both
}
