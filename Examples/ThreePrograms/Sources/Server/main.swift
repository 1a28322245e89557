/// Answers requests: the first argument says how many. Without one it would wait for them for ever.
final class Session {
    let user: String
    private(set) var answers: [String] = []

    init(user: String) { self.user = user }

    func answer(_ request: Int) { answers.append("\(user): \(request)") }
}

guard let count = CommandLine.arguments.dropFirst().first.flatMap({ Int($0) }) else {
    while let line = readLine() { print(line) }
    fatalError("Nobody asks any more.")
}
for number in 0..<count {
    let session = Session(user: "user \(number)")
    for request in 0..<3 { session.answer(request) }
    print(session.answers.count)
}
