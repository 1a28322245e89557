import GameModel
import Testing

@testable import GameprofHeap

/// Tasks that wait, and blocks of memory that name them.
@Suite struct ResumableTasksTests {
    /// A heap in which each block holds some others, and some are the memory of waiting tasks.
    final class Heap {
        var holds: [[Int]]
        var waits: [ResumableTasks.Wait?] = []
        private(set) var reached: Set<Int> = []
        private var suspended: Set<Int> = []

        init(_ holds: [[Int]]) { self.holds = holds }

        /// - Parameter roots: blocks that variables name.
        func tasks(roots: [Int]) -> ResumableTasks {
            suspended = Set(waits.flatMap { $0?.memory ?? [] })
            reached = []
            _ = reach(roots)
            return ResumableTasks(waits, isReached: { self.reached.contains($0) }, expand: expand)
        }

        private func reach(_ blocks: [Int]) -> [Int] {
            var (open, fresh) = (blocks, [Int]())
            while let block = open.popLast() {
                guard reached.insert(block).inserted else { continue }
                fresh.append(block)
                if !suspended.contains(block) { open += holds[block] }
            }
            return fresh
        }

        private func expand(_ blocks: [Int]) -> [Int] {
            let named = blocks.flatMap { holds[$0] }
            return named + reach(blocks + named)
        }

        // MARK: - The same by brute force

        /// The blocks that roots lead to when only the memory of these tasks holds something, and what these tasks hold.
        private func living(_ roots: [Int], _ tasks: Set<Int>) -> Set<Int> {
            let expanded = Set(tasks.flatMap { waits[$0]?.memory ?? [] })
            var living = Set(roots).union(expanded)
            while true {
                let held = living.filter { !suspended.contains($0) || expanded.contains($0) }.flatMap { holds[$0] }
                let more = living.union(held)
                if more == living { return living }
                living = more
            }
        }

        /// Whether a block lives: of shared memory the task of which goes on.
        private func lives(_ block: Int, _ living: Set<Int>, _ tasks: Set<Int>) -> Bool {
            suspended.contains(block)
                ? tasks.contains { waits[$0]?.memory.contains(block) == true } : living.contains(block)
        }

        func resumable(_ roots: [Int]) -> Set<Int> {
            var found = Set(waits.indices.filter { waits[$0] == nil })
            while true {
                let living = living(roots, found)
                let more = waits.indices.filter { task in
                    waits[task].map { wait in
                        wait.isFree || wait.awaited.contains(where: found.contains)
                            || wait.names.contains { lives($0, living, found) }
                    } ?? true
                }
                if found.isSuperset(of: more) { return found }
                found.formUnion(more)
            }
        }

        func lost(_ roots: [Int]) -> Set<Int> {
            let resumable = resumable(roots)
            let before = living(roots, resumable)
            let stuck = Set(waits.indices).subtracting(resumable)
            var held = stuck.filter { task in waits[task]!.handles.contains { lives($0, before, resumable) } }
            while true {
                let memory = held.flatMap { waits[$0]!.memory }
                let new = Set(memory + memory.flatMap { holds[$0] })
                    .union(living(roots, resumable.union(held)).subtracting(before))
                let more = stuck.filter { task in
                    waits[task]!.memory.contains(where: new.contains)
                        || waits[task]!.handles.contains(where: new.contains)
                }
                if held.isSuperset(of: more) { return stuck.subtracting(held) }
                held.formUnion(more)
            }
        }
    }

    private func wait(_ memory: Int, names: Set<Int> = [], awaited: [Int] = [], handles: Set<Int> = [])
        -> ResumableTasks.Wait
    {
        .init(memory: [memory], names: names, awaited: awaited, handles: handles)
    }

    @Test func `a task is stuck whose continuation an object holds that nothing but its own memory holds`() {
        // 0: a variable's object; 1 and 2: memory of tasks; 3 and 4: connections with their continuations.
        let heap = Heap([[3], [3, 2], [4], [1], [2]])
        heap.waits = [wait(1, names: [3]), wait(2, names: [4])]
        let tasks = heap.tasks(roots: [0])
        // The first one leads to the second, as its relative.
        #expect(tasks.stuck == [1])
        #expect(tasks.lost() == [1])
    }

    @Test func `a task goes on that the memory of one that goes on names`() {
        let heap = Heap([[1], [2], [3], []])
        heap.waits = [wait(1, names: [0]), wait(2, names: [1]), wait(3, awaited: [1])]
        #expect(heap.tasks(roots: [0]).stuck == [])
        #expect(heap.tasks(roots: []).stuck == [0, 1, 2])
    }

    @Test func `a handle keeps a task that is stuck with what it holds, and does not resume it`() {
        let heap = Heap([[1], [2], [], []])
        heap.waits = [wait(1, handles: [0]), wait(3, handles: [2])]
        let tasks = heap.tasks(roots: [0])
        #expect(tasks.stuck == [0, 1])
        #expect(tasks.lost() == [])
    }

    @Test func `tasks that wait for each other are stuck, and so is one that waits for them`() {
        let heap = Heap([[], [], []])
        heap.waits = [wait(0, awaited: [1]), wait(1, awaited: [0]), wait(2, awaited: [0])]
        #expect(heap.tasks(roots: [0, 1, 2]).stuck == [0, 1, 2])
    }

    @Test func `random heaps are judged as by brute force`() {
        var numbers = SplitMix64(seed: 30)
        func some(_ most: Int, below end: Int) -> [Int] {
            (0..<Int.random(in: 0...most, using: &numbers)).map { _ in Int.random(in: 0..<end, using: &numbers) }
        }
        var (stuck, lost) = (0, 0)
        for _ in 0..<3000 {
            let (count, tasks) = (Int.random(in: 4...24, using: &numbers), Int.random(in: 1...8, using: &numbers))
            let heap = Heap((0..<count).map { _ in some(2, below: count) })
            heap.waits = (0..<tasks).map { _ in
                guard Int.random(in: 0..<8, using: &numbers) > 0 else { return nil }
                return ResumableTasks.Wait(
                    memory: [Int.random(in: 0..<count, using: &numbers)] + some(1, below: count),
                    names: Set(some(2, below: count)), awaited: some(1, below: tasks),
                    handles: Set(some(1, below: count)),
                    isFree: Int.random(in: 0..<16, using: &numbers) == 0)
            }
            let roots = some(2, below: count)
            let found = heap.tasks(roots: roots)
            let resumable = heap.resumable(roots)
            #expect(found.stuck == heap.waits.indices.filter { !resumable.contains($0) })
            #expect(Set(found.lost()) == heap.lost(roots))
            (stuck, lost) = (stuck + found.stuck.count, lost + found.lost().count)
        }
        #expect(stuck > 1000 && lost > 500)
    }
}
