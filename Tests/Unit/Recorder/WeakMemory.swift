/// Threads that share words, which begin as 0, in every order and with every value that C11 lets a load see: the operational model of views
/// (Kang et al., POPL 2017) without promises, in which the stores to one word come into being in their order. A thread's view says
/// up to which store of each word it knows; a load may see that one or a later one.
struct WeakMemory {
    /// A step is `word=1`, `register<word`, `word<>1` (an exchange, which acquires and releases), `fence` or `if register=1`, then an
    /// order, and behind @ a file of the recorder and how it is written there.
    struct Step {
        var text: String
        var order: String?  // nil: relaxed; of a fence: there is none
        let source: (file: String, text: String)?

        init(line: Substring) {
            let parts = line.split(separator: " @", maxSplits: 1)
            let words = parts[0].split(separator: " ").map(String.init)
            order = ["acquire", "release", "sequential"].first { words.last == $0 }
            text = (order == nil ? words[...] : words.dropLast()).joined(separator: " ")
            let source = parts.dropFirst().first?.split(separator: " ", maxSplits: 1).map(String.init)
            self.source = source.map { ($0[0], $0[1]) }
        }
    }

    var threads: [[Step]]

    /// `text`: a step a line, and -- between the threads.
    init(_ text: String) {
        threads = text.split(separator: "\n").split(separator: "--").map { $0.map(Step.init) }
    }

    /// The same without each order of the sources in turn.
    var weakened: [(without: String, memory: WeakMemory)] {
        threads.indices.flatMap { number in
            threads[number].indices.compactMap { place in
                var weak = self
                weak.threads[number][place].order = nil
                return threads[number][place].order == nil ? nil : threads[number][place].source.map { ($0.text, weak) }
            }
        }
    }

    /// Whether all threads can end in such a way. A register that was not reached has no value.
    func canEnd(in isWanted: (_ registersAndWords: [String: Int]) -> Bool) -> Bool {
        let start = State(threads: threads.map { _ in Thread() })
        var known: Set<State> = [start]
        var open = [start]
        while let state = open.popLast() {
            var ended = true
            for (number, steps) in threads.enumerated() where state.threads[number].at < steps.count {
                ended = false
                for next in after(state, steps[state.threads[number].at], number) where known.insert(next).inserted {
                    open.append(next)
                }
            }
            let last = state.stores.compactMapValues(\.last?.value)
            if ended && isWanted(state.registers.merging(last) { register, _ in register }) { return true }
        }
        return false
    }

    private typealias View = [String: Int]  // the number of a store by word; 0: none

    private struct Store: Hashable {
        let value: Int
        let view: View  // what whoever acquires it knows then
    }

    private struct Thread: Hashable {
        var at = 0
        var view: View = [:]
        var seen: View = [:]  // what an acquire fence would add
        var released: View = [:]  // what a relaxed store gives along, since the last release fence
    }

    private struct State: Hashable {
        var threads: [Thread]
        var stores: [String: [Store]] = [:]
        var fences: View = [:]  // what the sequentially consistent ones know
        var registers: [String: Int] = [:]
    }

    private func after(_ state: State, _ step: Step, _ number: Int) -> [State] {
        var next = state
        var thread = state.threads[number]
        thread.at += 1
        let parts = step.text.split { "=<> ".contains($0) }.map(String.init)
        func see(_ word: String, _ time: Int, acquires: Bool) -> Int {
            let store = time == 0 ? Store(value: 0, view: [:]) : state.stores[word]![time - 1]
            thread.view[word] = time
            join(&thread.seen, store.view)
            if acquires { join(&thread.view, store.view) }
            return store.value
        }
        func put(_ word: String, _ value: String, releases: Bool) {
            thread.view[word] = (state.stores[word]?.count ?? 0) + 1
            var view = releases ? thread.view : thread.released
            view[word] = thread.view[word]
            next.stores[word, default: []].append(Store(value: Int(value)!, view: view))
        }
        if parts[0] == "fence" {
            if step.order == "acquire" || step.order == "sequential" { join(&thread.view, thread.seen) }
            if step.order == "sequential" {
                join(&thread.view, state.fences)
                next.fences = thread.view
            }
            if step.order == "release" || step.order == "sequential" { thread.released = thread.view }
        } else if parts[0] == "if" {
            if state.registers[parts[1]] != Int(parts[2])! { thread.at = threads[number].count }
        } else if step.text.contains("<>") {
            _ = see(parts[0], state.stores[parts[0]]?.count ?? 0, acquires: true)
            put(parts[0], parts[1], releases: true)
        } else if step.text.contains("<") {
            let before = thread
            return ((before.view[parts[1]] ?? 0)...(state.stores[parts[1]]?.count ?? 0)).map { time in
                thread = before
                next.registers[parts[0]] = see(parts[1], time, acquires: step.order != nil)
                next.threads[number] = thread
                return next
            }
        } else {
            put(parts[0], parts[1], releases: step.order != nil)
        }
        next.threads[number] = thread
        return [next]
    }

    private func join(_ view: inout View, _ other: View) {
        view.merge(other, uniquingKeysWith: max)
    }
}
