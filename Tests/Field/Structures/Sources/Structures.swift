// Collections, asynchronous sequences and a command line.
import ArgumentParser
import AsyncAlgorithms
import Collections

final class Piece: Hashable {
    let number: Int

    init(_ number: Int) { self.number = number }

    static func == (left: Piece, right: Piece) -> Bool { left.number == right.number }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

@main
struct Structures: AsyncParsableCommand {
    @Option var pieces = 2_000

    func run() async throws {
        print("collections \(collections())")
        print("channel \(await channel())")
        print("merged \(await merged())")
    }

    private func collections() -> Int {
        var deque: Deque<Piece> = []
        var ordered: OrderedSet<Piece> = []
        var byNumber: OrderedDictionary<Int, Piece> = [:]
        var heap: Heap<Int> = []
        var tree: TreeDictionary<Int, Piece> = [:]
        for number in 0..<pieces {
            let piece = Piece(number)
            if number.isMultiple(of: 2) { deque.append(piece) } else { deque.prepend(piece) }
            ordered.append(Piece(number / 3))
            byNumber[number] = piece
            heap.insert(number * 7919 % 1009)
            tree[number] = piece
        }
        while deque.count > pieces / 2 { deque.removeFirst() }
        for number in stride(from: 0, to: pieces, by: 3) {
            byNumber[number] = nil
            tree[number] = nil
        }
        let least = (0..<10).compactMap { _ in heap.popMin() }.reduce(0, +)
        return deque.count + ordered.count + byNumber.count + tree.count + least
    }

    private func channel() async -> Int {
        let channel = AsyncChannel<Piece>()
        let producer = Task {
            for number in 0..<500 { await channel.send(Piece(number)) }
            channel.finish()
        }
        var sum = 0
        for await piece in channel { sum += piece.number }
        await producer.value
        return sum
    }

    private func merged() async -> Int {
        let odd = (0..<300).map { Piece(2 * $0 + 1) }.async
        let even = (0..<300).map { Piece(2 * $0) }.async
        var sum = 0
        for await chunk in merge(odd, even).chunks(ofCount: 16) { sum += chunk.reduce(0) { $0 + $1.number } }
        for await (left, right) in zip(odd, even) { sum += left.number - right.number }
        return sum
    }
}
