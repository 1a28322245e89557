import GameprofBasics
import Testing

@testable import GameprofTrace

@Suite("Columns of a heap")
struct LiveHeapColumnsTests {
    @Test("addresses come back, near and far, aligned or not, and where they descend")
    func addresses() {
        var random = SplitMix(state: 4)
        var numbers: [UInt64] = [16, 32, 33, 4096, 8176, 8176 + 255 * 16, 1 << 40, 48, 48, 0, .max]
        for _ in 0..<1_000 {
            let distance = UInt64.random(in: 0..<400, using: &random) * 16
            numbers.append(numbers[numbers.count - 1] &+ distance)
        }
        var column = AddressColumn()
        for number in numbers { column.append(number) }
        #expect(Array(column) == numbers)
    }

    @Test("large numbers come back among small ones")
    func small() {
        let numbers: [UInt64] = [0, 254, 255, 256, 7, .max, 255, 3]
        var column = SmallColumn<UInt8, UInt64>()
        for number in numbers { column.append(number) }
        #expect(Array(column) == numbers)
        #expect(column.others.count == 4)
    }

    @Test("a column becomes wide with the first number that needs it")
    func narrow() {
        var column = NarrowColumn<UInt8, UInt16>()
        for number in [UInt16(3), 255] { column.append(number) }
        #expect(column.wide.isEmpty)
        for number in [UInt16(256), 1] { column.append(number) }
        #expect(column.narrow.isEmpty && column.wide == [3, 255, 256, 1])
        column.keep { $0 != 2 }
        #expect(column.narrow == [3, 255, 1] && column.wide.isEmpty)
    }

    @Test("references keep their labels and ownerships, of however many kinds they are")
    func kinds() {
        var column = ReferenceKinds()
        let labels = (0..<70_000).map { UInt32($0) }
        let ownerships: [Ownership] = [.weak, .strong, .conservative, .unowned, .unmanaged]
        for label in labels { column.append(label, ownerships[Int(label) % 5]) }
        for label in labels { column.append(label, ownerships[Int(label) % 5]) }
        // Of the kinds that 16 bits number five are those without a label, or with the first.
        let most = (1 << 16) - 5 + 1
        for place in labels.indices {
            let (first, second) = (column[place], column[labels.count + place])
            #expect(first.label == (place < most ? UInt16(place) : 0) && second.label == first.label)
            #expect(first.ownership == ownerships[place % 5] && second.ownership == first.ownership)
        }
        #expect(column.dropLabels(from: 4) && !column.dropLabels(from: 4))
        #expect(column[3].label == 3 && column[4].label == 0)
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
