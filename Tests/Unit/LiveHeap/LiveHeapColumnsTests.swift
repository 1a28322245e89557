import GameprofTraceFile
import Testing

@testable import GameprofRecording

@Suite("Columns of a heap")
struct LiveHeapColumnsTests {
    @Test("numbers come back whole, whatever their upper halves are")
    func wide() {
        let numbers: [UInt64] = [0, 1 << 32, 1 << 32 + 5, 7, .max, 1 << 63, 3, 3]
        var column = WideColumn()
        for number in numbers { column.append(number) }
        #expect(Array(column) == numbers)
        #expect(column.changes.count == 6)
    }

    @Test("stacks take no memory until one is known")
    func stacks() {
        var column = StackColumn()
        for _ in 0..<3 { column.append(.none) }
        #expect(column.stacks.isEmpty)
        for number in [UInt32(5), 0, 6] { column.append(StackID(number)) }
        #expect(column.map(\.rawValue) == [0, 0, 0, 5, 0, 6])
    }
}
