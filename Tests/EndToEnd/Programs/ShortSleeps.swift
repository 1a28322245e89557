// Tasks that sleep for a moment: many samples find a function of the runtime right after it was resumed, and what stands
// below its frame is no context.
@main struct ShortSleeps {
    static func main() async {
        let clock = ContinuousClock()
        let end = clock.now + .milliseconds(800)
        while clock.now < end {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<200 { group.addTask { try? await Task.sleep(for: .microseconds(50)) } }
            }
        }
        print("done")
    }
}
