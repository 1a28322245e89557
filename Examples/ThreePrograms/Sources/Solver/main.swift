/// Places queens so that none attacks another. Nothing lives when it ends.
final class Board {
    private var columns: [Int] = []
    let size: Int

    init(size: Int) { self.size = size }

    func countSolutions() -> Int {
        guard columns.count < size else { return 1 }
        var count = 0
        for column in 0..<size where isFree(column) {
            columns.append(column)
            count += countSolutions()
            columns.removeLast()
        }
        return count
    }

    private func isFree(_ column: Int) -> Bool {
        columns.enumerated().allSatisfy { row, other in
            other != column && abs(other - column) != columns.count - row
        }
    }
}

print(Board(size: 6).countSolutions())
