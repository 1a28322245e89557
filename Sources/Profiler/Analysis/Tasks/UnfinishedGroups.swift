import GameprofTrace

/// Tasks that wait for all children of a task group. One child that never resumes is enough for these, while whoever waits for the next
/// child needs only one that goes on. Which of the two it is, only the waiting functions say.
enum UnfinishedGroups {
    /// Marks these tasks, and those that wait for nothing else.
    /// - Parameter stacks: of the tasks, by position.
    static func complete(_ list: TaskList, _ stacks: [CallStack]) -> TaskList {
        var result = list
        let children = Dictionary(
            grouping: list.tasks.indices.filter { list.tasks[$0].parent != nil && !list.tasks[$0].isAsyncLet },
            by: { list.tasks[$0].parent ?? 0 })
        func waitsInVain(_ position: Int) -> Bool {
            func isStuck(_ other: Int) -> Bool { result.tasks[other].neverResumes }
            switch list.tasks[position].status {
            case .task(let other?): return isStuck(other)
            case .group(let unfinished):
                // With several groups, one in the other, nothing says whose child it is.
                guard let own = children[position], own.count == unfinished else { return false }
                return waitsForAll(stacks[position]) ? own.contains(where: isStuck) : own.allSatisfy(isStuck)
            default: return false
            }
        }
        var isChanged = true
        while isChanged {
            isChanged = false
            for position in list.tasks.indices where !result.tasks[position].neverResumes && waitsInVain(position) {
                result.tasks[position].neverResumes = true
                isChanged = true
            }
        }
        return result
    }

    /// Nobody can ask a discarding group for its next child.
    private static func waitsForAll(_ stack: CallStack) -> Bool {
        stack.frames.prefix { $0.origin != .user }.contains { frame in
            ["awaitAllRemainingTasks(", "waitForAll(", "DiscardingTaskGroup"].contains { frame.function.contains($0) }
        }
    }
}
