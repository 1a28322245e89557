/// The recorded processes under those that started them, in the order of their starts. Children of one process that ran the
/// same program, ended with the same exit code and have no finding, nor any below them, are one row.
public struct ProcessTree: Sendable {
    /// One process, or several that are alike.
    public struct Row: Hashable, Sendable {
        /// 0 for the first process, and for one whose parent was not recorded.
        public var depth: Int
        /// As numbers in the list that the tree is of, the one that ran longest first. Not empty.
        public var members: [Int]
    }

    public private(set) var rows: [Row] = []

    /// So many processes that are alike are one row.
    private static let leastAlike = 3

    /// What two processes that are alike have in common.
    private struct Shape: Hashable {
        var executable: String
        var code: Int
        /// Those of the children, by number.
        var children: Set<Int>
    }

    private let processes: [ProcessRow]
    private var children: [Int: [Int]] = [:]
    /// By process the number of its shape; nil: it is shown by itself.
    private var shapes: [Int?]
    private var numbers: [Shape: Int] = [:]

    public init(_ processes: [ProcessRow]) {
        self.processes = processes
        shapes = Array(repeating: nil, count: processes.count)
        let order = processes.indices.sorted { (start($0), $0) < (start($1), $1) }
        let parents = Self.parents(processes, order)
        for process in order {
            if let parent = parents[process] { children[parent, default: []].append(process) }
        }
        let roots = order.filter { parents[$0] == nil }
        for process in below(roots).reversed() { shapes[process] = shape(of: process) }
        add(roots)
    }

    private func start(_ process: Int) -> Double { processes[process].startSeconds ?? 0 }

    /// The parent of each process, as a number in the list. Process numbers are used again: of those that a parent's number
    /// stands for, it is the last that started before its child. One that became another program began anew after it had
    /// started children.
    private static func parents(_ processes: [ProcessRow], _ order: [Int]) -> [Int: Int] {
        let byNumber = Dictionary(grouping: order) { processes[$0].process }
        let places = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($0.element, $0.offset) })
        var parents: [Int: Int] = [:]
        for process in order {
            guard let number = processes[process].parent, let named = byNumber[number] else { continue }
            let parent = named.last { (places[$0] ?? 0) < (places[process] ?? 0) } ?? named[0]
            var above: Int? = parent
            while let next = above, next != process { above = parents[next] }
            if above == nil { parents[process] = parent }
        }
        return parents
    }

    /// The processes and all that they started, each behind its parent.
    private func below(_ roots: [Int]) -> [Int] {
        var result = roots
        var next = 0
        while next < result.count {
            result += children[result[next]] ?? []
            next += 1
        }
        return result
    }

    private mutating func shape(of process: Int) -> Int? {
        let row = processes[process]
        let below = (children[process] ?? []).map { shapes[$0] }
        guard let code = row.exit?.code, row.errors == 0, row.warnings == 0, row.leakedBlocks ?? 0 == 0,
            row.truncated != true, !below.contains(nil)
        else { return nil }
        let shape = Shape(executable: row.executable, code: code, children: Set(below.compactMap { $0 }))
        if let known = numbers[shape] { return known }
        numbers[shape] = numbers.count
        return numbers.count - 1
    }

    /// Rows for processes that one process started, or several that are alike, and for all below them.
    private mutating func add(_ roots: [Int]) {
        var open = groups(of: roots).map { Row(depth: 0, members: $0) }
        while let row = open.popLast() {
            rows.append(row)
            let below = row.members.flatMap { children[$0] ?? [] }.sorted { (start($0), $0) < (start($1), $1) }
            open += groups(of: below).map { Row(depth: row.depth + 1, members: $0) }
        }
    }

    /// Processes that are alike together, in the order of the first of each; the last comes first.
    private func groups(of siblings: [Int]) -> [[Int]] {
        let alike = Dictionary(grouping: siblings.filter { shapes[$0] != nil }) { shapes[$0] ?? 0 }
        var result: [[Int]] = []
        var shown: Set<Int> = []
        for process in siblings {
            if let shape = shapes[process], let same = alike[shape], same.count >= Self.leastAlike {
                guard shown.insert(shape).inserted else { continue }
                result.append(same.sorted { processes[$0].wallSeconds > processes[$1].wallSeconds })
            } else {
                result.append([process])
            }
        }
        return result.reversed()
    }
}
